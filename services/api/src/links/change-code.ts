import { recordLinks } from "@tapthru/core/events";
import { followNewCodes, insertLinkChanges } from "@tapthru/core/outbox";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { linkNotFound, linkTakenDown, slugTaken } from "@tapthru/proto/general-errors";
import { rootLinkFixed, tooManyShortCodes } from "@tapthru/proto/links";
import { CODES_PER_LINK_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { shortCodeOf, splitShortCode } from "@tapthru/proto/rules/short-code";
import { ForeignKeyIntegrityConstraintViolationError, sql, UniqueIntegrityConstraintViolationError } from "slonik";
import * as z from "zod/mini";
import { lockingUser } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";
import { chooseDomain, findLinkSettings, type LinkDomainsDependencies, nameRefusal } from "./link-domains.ts";
import { RecordedLinkRow, recordedLinkColumns, redirectRecords } from "./link-row.ts";
import type { ProjectLinks } from "./project-links.ts";
import { findEditableLink, type ItemResult, linksOfUser, type UserLink } from "./user-links.ts";

/** Each fails only if a visitor reports a link, its owner creates it again, or another link takes its code, at the same moment. */
const ATTEMPTS = 3;

type CodeDb = Db<"any" | "maybeOne" | "transaction">;

/** Undefined fields stay as they are. */
interface Place {
  slug?: string | undefined;
  /** Null for the site's own host. */
  domain?: string | null | undefined;
}

/** @param place of which the user can use the domain, if one is named @throws ApiError as of `changeCodes` */
export async function changeCode(db: CodeDb, link: UserLink, place: Place): Promise<CodeRecord[]> {
  const { id } = await findEditableLink(db, link);
  const { errors, records } = await changeCodes(db, { userId: link.userId, ids: [id] }, place);
  const error = errors.get(id);
  if (error !== undefined) throw error;
  return records;
}

/** Moves several links to a domain. @returns for each the code of the error for which it was not moved */
export async function moveLinks(
  deps: LinkDomainsDependencies & { db: CodeDb; projectLinks: ProjectLinks },
  { userId, ids, domain: wanted }: { userId: number; ids: readonly number[]; domain: string | null },
  budget: RedisBudget,
): Promise<ItemResult[]> {
  const { domains } = await findLinkSettings(deps, { userId });
  const domain = chooseDomain(domains, wanted);
  const { errors, records } = await lockingUser(deps.db, userId, (db) =>
    recordLinks(db, "link.changed", linksOfUser({ userId, ids }), () => changeCodes(db, { userId, ids }, { domain })),
  );
  await deps.projectLinks(records, budget);
  return ids.map((id) => ({ id, error: errors.get(id)?.code ?? null }));
}

/**
 * Gives links another name on their host, or moves them to another host with their names, or both. Their earlier codes go on opening
 * them.
 * @returns the errors of those that are not the user's or were taken down, are at `/` of a domain, have too many codes, or whose new
 *   code is or was that of another link
 */
async function changeCodes(db: CodeDb, { userId, ids }: { userId: number; ids: readonly number[] }, place: Place) {
  const errors = new Map<number, ApiError>();
  const records: CodeRecord[] = [];
  let open = [...new Set(ids)];
  for (let attempt = 0; attempt < ATTEMPTS && open.length > 0; attempt++) {
    const links = new Map((await findCodes(db, { userId, ids: open })).map((link) => [link.id, link]));
    const changes: CodeChange[] = [];
    for (const id of open) {
      const code = newCode(links.get(id), place);
      if (code instanceof ApiError) errors.set(id, code);
      else if (changes.some((other) => other.code === code)) errors.set(id, new ApiError(slugTaken));
      else if (code !== null) changes.push({ id, code });
    }
    for (const { id, isTaken, isFull } of changes.length === 0 ? [] : await findCodeUses(db, changes)) {
      if (isTaken) errors.set(id, new ApiError(slugTaken));
      else if (isFull) errors.set(id, new ApiError(tooManyShortCodes));
    }
    const allowed = changes.filter(({ id }) => !errors.has(id));
    const renamed = allowed.length === 0 ? [] : await renameLinks(db, { userId, changes: allowed });
    records.push(...redirectRecords(renamed.flatMap((link) => [link, { ...link, shortCode: link.earlierCode }])));
    const isRenamed = new Set(renamed.map(({ id }) => id));
    open = allowed.map(({ id }) => id).filter((id) => !isRenamed.has(id));
  }
  for (const id of open) errors.set(id, new ApiError(slugTaken));
  return { errors, records };
}

/** @returns null if the link has this code already */
function newCode(link: LinkCode | undefined, { slug, domain }: Place): string | ApiError | null {
  if (link === undefined) return new ApiError(linkNotFound);
  if (link.takenDown) return new ApiError(linkTakenDown);
  const current = splitShortCode(link.shortCode);
  if (current.name === "") return new ApiError(rootLinkFixed);
  const name = slug ?? current.name;
  const host = domain === undefined ? current.host : domain;
  const code = shortCodeOf(name, host);
  if (link.shortCode === code) return null;
  return nameRefusal(name, host) ?? code;
}

const LinkCode = z.object({ id: z.int(), shortCode: z.string(), takenDown: z.boolean() });
type LinkCode = z.infer<typeof LinkCode>;

function findCodes(db: Db<"any">, { userId, ids }: { userId: number; ids: readonly number[] }) {
  return db.any(sql.type(LinkCode)`
    SELECT id, short_code AS "shortCode", taken_down_at IS NOT NULL AS "takenDown" FROM links
    WHERE id = ANY(${sql.array(ids, "int8")}) AND user_id = ${userId}
  `);
}

interface CodeChange {
  id: number;
  code: string;
}

const rowsOf = (changes: readonly CodeChange[]) =>
  sql.fragment`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS change (id bigint, code text)`;

const CodeUse = z.object({ id: z.int(), isTaken: z.boolean(), isFull: z.boolean() });

/**
 * `isTaken`: another link has the code, any link had it, or it is one without tag. `isFull`: the code would be one too many, as each
 * change of a link also changes the records of its earlier codes. A statement of its own, before the change: a code that is being
 * deleted at the same time is then in `links` here, or in `link_codes` there.
 */
export function findCodeUses(db: Db<"any">, changes: readonly CodeChange[]) {
  return db.any(sql.type(CodeUse)`
    SELECT change.id, EXISTS (
      SELECT FROM all_links WHERE short_code = code AND all_links.id <> change.id
      UNION ALL SELECT FROM link_codes WHERE short_code = code AND (is_untagged OR link_id <> change.id)
      UNION ALL SELECT FROM retired_codes WHERE short_code = code
    ) AS "isTaken", (
      SELECT count(*) >= ${CODES_PER_LINK_MAX_COUNT} AND NOT bool_or(short_code = code) FROM link_codes WHERE link_id = change.id
    ) AS "isFull"
    FROM ${rowsOf(changes)}
  `);
}

interface CodeChanges {
  userId: number;
  changes: readonly CodeChange[];
}

/** @returns those that were renamed; none if a row that refers to an earlier code was just inserted, or another link just took a code */
async function renameLinks(db: CodeDb, changes: CodeChanges): Promise<readonly RenamedLink[]> {
  try {
    return await db.transaction((transaction) => rename(transaction, changes));
  } catch (error) {
    const isCodeInUse =
      error instanceof UniqueIntegrityConstraintViolationError && error.constraint === "links_short_code_key";
    if (isCodeInUse || error instanceof ForeignKeyIntegrityConstraintViolationError) return [];
    throw error;
  }
}

const RenamedLink = z.extend(RecordedLinkRow, { earlierCode: z.string() });
type RenamedLink = z.infer<typeof RenamedLink>;

/** The codes before become earlier codes. A new one may be an earlier code of the same link. */
function rename(transaction: Db<"any">, { userId, changes }: CodeChanges) {
  const ids = changes.map(({ id }) => id);
  return transaction.any(sql.type(RenamedLink)`
    WITH earlier AS MATERIALIZED (
      SELECT id, short_code FROM links
      WHERE id = ANY(${sql.array(ids, "int8")}) AND user_id = ${userId} AND taken_down_at IS NULL
      ORDER BY id FOR UPDATE
    ), moved AS MATERIALIZED (
      SELECT id, short_code, code FROM earlier JOIN ${rowsOf(changes)} USING (id) WHERE short_code <> code
    ), reserved AS (
      INSERT INTO link_codes AS code (short_code, link_id) SELECT code, id FROM moved ORDER BY code
      ON CONFLICT (short_code) DO UPDATE SET link_id = excluded.link_id
        WHERE code.link_id = excluded.link_id AND NOT code.is_untagged
      RETURNING link_id
    ), kept AS (
      INSERT INTO link_codes (short_code, link_id)
      SELECT short_code, id FROM moved JOIN reserved ON link_id = id ORDER BY short_code
      ON CONFLICT DO NOTHING
    ), link AS (
      UPDATE links SET short_code = code, has_earlier_codes = true, revision = revision + 1
      FROM moved JOIN reserved ON link_id = moved.id
      WHERE links.id = moved.id
      RETURNING links.*
    ), renamed AS (
      SELECT link.short_code, moved.short_code AS earlier_code FROM link JOIN moved USING (id)
    ), ${followNewCodes}, change AS (
      ${insertLinkChanges}
    )
    SELECT ${recordedLinkColumns}, earlier_code AS "earlierCode"
    FROM link JOIN renamed USING (short_code) LEFT JOIN products product USING (canonical_url)
  `);
}
