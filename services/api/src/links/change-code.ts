import { linksOf, recordLinks } from "@tapthru/core/events";
import { followNewCodes, insertLinkChanges } from "@tapthru/core/outbox";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { slugTaken } from "@tapthru/proto/general-errors";
import { rootLinkFixed, tooManyShortCodes } from "@tapthru/proto/links";
import { CODES_PER_LINK_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { shortCodeOf, splitShortCode } from "@tapthru/proto/rules/short-code";
import { ForeignKeyIntegrityConstraintViolationError, sql, UniqueIntegrityConstraintViolationError } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import { changeInParts, type ItemResult } from "./change-in-parts.ts";
import { chooseDomain, findLinkSettings, requireAllowedName } from "./link-domains.ts";
import { RecordedLinkRow, recordedLinkColumns, redirectRecords } from "./link-row.ts";
import type { ProjectLinks } from "./project-links.ts";
import { findEditableLink, type UserLink } from "./user-links.ts";

/** Each fails only if a visitor reports the link, or its owner creates it again, at the same moment. */
const ATTEMPTS = 3;

type CodeDb = Db<"any" | "maybeOne" | "oneFirst" | "transaction">;

export interface CodeDependencies {
  db: CodeDb;
  hasDomains: boolean;
  projectLinks: ProjectLinks;
}

/** Undefined fields stay as they are. */
export interface Place {
  slug?: string | undefined;
  /** Null for the site's own host. */
  domain?: string | null | undefined;
}

/**
 * Gives a link another name on its host, or moves it to another host with its name, or both. Its earlier codes still open it.
 * @param change of which the user can use the domain, if one is named
 * @throws ApiError if another link has or had the code, the link has too many codes, was taken down, is unknown or is the one
 *   at `/` of a domain
 */
export async function changeCode(
  db: CodeDb,
  { userId, shortCode }: UserLink,
  { slug, domain }: Place,
): Promise<CodeRecord[]> {
  const link = await findEditableLink(db, { userId, shortCode });
  const current = splitShortCode(link.shortCode);
  if (current.name === "") throw new ApiError(rootLinkFixed);
  const name = slug ?? current.name;
  const host = domain === undefined ? current.host : domain;
  const code = shortCodeOf(name, host);
  if (link.shortCode === code) return [];
  requireAllowedName(name, host);
  const change = { userId, shortCode, code };
  if (await isCodeTaken(db, change)) throw new ApiError(slugTaken);
  if (await hasTooManyCodes(db, change)) throw new ApiError(tooManyShortCodes);
  const renamed = await rename(db, change);
  if (renamed !== null) return redirectRecords([renamed, { ...renamed, shortCode: renamed.earlierCode }]);
  if ((await findEditableLink(db, change)).shortCode === code) return [];
  throw new ApiError(slugTaken);
}

export interface CodeChange {
  userId: number;
  /** The current code of the link, or an earlier one. */
  shortCode: string;
  code: string;
}

/**
 * Returns true if another link has, or any link had the code, or it is one without a tag. A statement of its own, before the change: a code that is being
 * deleted at the same time is then in `links` here, or in `link_codes` there.
 */
export function isCodeTaken(db: Db<"oneFirst">, { shortCode, code }: CodeChange) {
  return db.oneFirst(sql.type(z.object({ isTaken: z.boolean() }))`
    SELECT EXISTS (
      SELECT FROM all_links WHERE short_code = ${code} AND id IS DISTINCT FROM find_link_id(${shortCode})
      UNION ALL
      SELECT FROM link_codes
      WHERE short_code = ${code}
        AND (is_untagged OR link_id IS DISTINCT FROM find_link_id(${shortCode}))
      UNION ALL
      SELECT FROM retired_codes WHERE short_code = ${code}
    ) AS "isTaken"
  `);
}

/** Returns true if the new code would be one too many: each change of a link also changes the records of its earlier codes. */
function hasTooManyCodes(db: Db<"oneFirst">, { shortCode, code }: CodeChange) {
  return db.oneFirst(sql.type(z.object({ isFull: z.boolean() }))`
    SELECT count(*) >= ${CODES_PER_LINK_MAX_COUNT} AND NOT bool_or(short_code = ${code}) AS "isFull"
    FROM link_codes WHERE link_id = find_link_id(${shortCode})
  `);
}

async function rename(db: CodeDb, change: CodeChange): Promise<RenamedLink | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction((transaction) => renameLink(transaction, change));
    } catch (error) {
      if (isCodeInUse(error)) return null;
      const isRetried = error instanceof ForeignKeyIntegrityConstraintViolationError && attempt < ATTEMPTS;
      if (!isRetried) throw error;
    }
  }
}

function isCodeInUse(error: unknown): boolean {
  return error instanceof UniqueIntegrityConstraintViolationError && error.constraint === "links_short_code_key";
}

const RenamedLink = z.extend(RecordedLinkRow, { earlierCode: z.string() });
type RenamedLink = z.infer<typeof RenamedLink>;

/**
 * Gives a link a new code. The one before becomes an earlier code, whose outbox row a trigger inserts. The code may be an
 * earlier code of the same link.
 * @returns null if the user has no such link, it was taken down, has this code already, or another link has or had it
 * @throws UniqueIntegrityConstraintViolationError on `links_short_code_key` if another link just took it,
 *   ForeignKeyIntegrityConstraintViolationError if a row that refers to the earlier code was just inserted
 */
function renameLink(transaction: Db<"maybeOne">, { userId, shortCode, code }: CodeChange) {
  return transaction.maybeOne(sql.type(RenamedLink)`
    WITH earlier AS MATERIALIZED (
      SELECT id, short_code FROM links
      WHERE id = find_link_id(${shortCode}) AND user_id = ${userId} AND taken_down_at IS NULL
        AND short_code <> ${code}
      FOR UPDATE
    ), reserved AS (
      INSERT INTO link_codes AS code (short_code, link_id) SELECT ${code}, id FROM earlier
      ON CONFLICT (short_code) DO UPDATE SET link_id = excluded.link_id
        WHERE code.link_id = excluded.link_id AND NOT code.is_untagged
      RETURNING link_id
    ), kept AS (
      INSERT INTO link_codes (short_code, link_id)
      SELECT earlier.short_code, id FROM earlier JOIN reserved ON link_id = id
      ON CONFLICT DO NOTHING
    ), link AS (
      UPDATE links SET short_code = ${code}, has_earlier_codes = true, revision = revision + 1
      FROM earlier JOIN reserved ON link_id = earlier.id
      WHERE links.id = earlier.id
      RETURNING links.*
    ), renamed AS (
      SELECT link.short_code, earlier.short_code AS earlier_code FROM link JOIN earlier USING (id)
    ), ${followNewCodes}, change AS (
      ${insertLinkChanges}
    )
    SELECT ${recordedLinkColumns}, earlier_code AS "earlierCode"
    FROM link JOIN renamed USING (short_code) LEFT JOIN products product USING (canonical_url)
  `);
}

/** Moves several links, one after the other. @param codeOf as of `changeInParts` */
export async function moveLinks(
  deps: CodeDependencies,
  { userId, ids, domain }: { userId: number; ids: readonly number[]; domain: string | null },
  { budget, codeOf }: { budget: RedisBudget; codeOf: (error: unknown) => string },
): Promise<ItemResult[]> {
  const { domains } = await findLinkSettings(deps, { userId });
  const host = chooseDomain(domains, domain);
  const codes = new Map((await findCodes(deps.db, { userId, ids })).map(({ id, shortCode }) => [id, shortCode]));
  const move = async (id: number): Promise<string | null> => {
    const shortCode = codes.get(id);
    if (shortCode === undefined) return "link-not-found";
    try {
      const records = await deps.db.transaction((db) =>
        recordLinks(db, "link.changed", linksOf([id]), () => changeCode(db, { userId, shortCode }, { domain: host })),
      );
      await deps.projectLinks(records, budget);
      return null;
    } catch (error) {
      if (error instanceof ApiError) return error.code;
      throw error;
    }
  };
  const parts = ids.map((id) => [id]);
  return changeInParts(parts, ([id = 0]) => move(id).then((error) => [{ id, error }]), codeOf);
}

const LinkCode = z.object({ id: z.int(), shortCode: z.string() });

function findCodes(db: Db<"any">, { userId, ids }: { userId: number; ids: readonly number[] }) {
  return db.any(sql.type(LinkCode)`
    SELECT id, short_code AS "shortCode" FROM links
    WHERE id = ANY(${sql.array(ids, "int8")}) AND user_id = ${userId}
  `);
}
