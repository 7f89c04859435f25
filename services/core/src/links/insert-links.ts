import { shortCodeOf } from "@tapthru/proto/redirect/short-code";
import { ANONYMOUS_LINK_EXPIRY_MS, REPEATED_CREATE_WINDOW_MS } from "@tapthru/proto/rules/limits";
import {
  type CommonQueryMethods,
  type FragmentSqlToken,
  sql,
  UniqueIntegrityConstraintViolationError,
} from "slonik";
import * as z from "zod/mini";
import { insertLinkChanges } from "../outbox.ts";
import { setActor } from "../platform/audit-log.ts";
import { milliseconds } from "../platform/postgres/values.ts";
import type { LinkChannel } from "./channel-tags.ts";
import type { LinkAddresses } from "./link-addresses.ts";
import {
  type OwnerValues,
  ownerColumns,
  ownerFieldNames,
  ownerFieldsWithTypes,
} from "./owner-columns.ts";
import { randomShortCode } from "./short-code.ts";

/** As many links with addresses of 4 KB as one statement inserts well within its timeout, also while the machine is busy. */
const BATCH = 50;
/** With a million links one collision has a chance of 1 in 27,000, so five in a row mean a bug. */
const ATTEMPTS = 5;

/** The caller knows that the channel is the owner's. */
export interface LinkToInsert extends LinkAddresses, OwnerValues, Partial<LinkChannel> {
  /** In the form of `cleanSlug`, and not reserved. Without it the name is generated. */
  slug?: string | null | undefined;
  /** The own domain on which the link is. The caller knows that it is the owner's. */
  domain?: string | null | undefined;
  /** Stored with the link, so that it is inserted once. */
  idempotencyKey?: IdempotencyKey | null;
}

export interface IdempotencyKey {
  keyHash: Buffer;
  /** SHA-256 of the user id or of the claim token; null for a new visitor. */
  visitorKey: Buffer | null;
  /** SHA-256 of what was sent. */
  requestHash: Buffer;
  /** The claim token of a new visitor, encrypted with the key itself. */
  claimSeal?: string | null;
}

export interface LinkOwner {
  userId: number;
}

/** Someone without an account. Their link expires, and whoever has the claim token can claim it. */
export interface Visitor {
  userId: null;
  /** SHA-256 of the claim token. */
  visitorKey: Buffer;
  /** SHA-256 of webUrl. They get one link for it within REPEATED_CREATE_WINDOW_MS. */
  addressHash: Buffer;
}

type LinksDb = Pick<CommonQueryMethods, "any" | "transaction">;

/** What the statement returns of each link. */
export interface ReturnedColumns<Row extends { index: number }> {
  /** Start of the prepared statement's name. Null: not prepared, so Postgres plans each call. */
  statementName: string | null;
  /** Columns of `link` and of `product`. Those of `product` are null if the statement inserts it. */
  columns: FragmentSqlToken;
  /** The schema of these columns and of `index`. */
  row: z.ZodMiniType<Row>;
}

const InsertedLink = z.object({ index: z.int(), id: z.int(), shortCode: z.string() });
export type InsertedLink = z.infer<typeof InsertedLink>;

export const ID_AND_CODE: ReturnedColumns<InsertedLink> = {
  statementName: null,
  columns: sql.fragment`link.id, link.short_code AS "shortCode"`,
  row: InsertedLink,
};

/**
 * Inserts a link with one statement.
 * @returns null if the visitor has a link for the address, or the code cannot be used
 * @throws UniqueIntegrityConstraintViolationError on `idempotency_keys_pkey`, or for a visitor on `links_short_code_key` if
 *   the code is taken
 */
export async function insertLink<Row extends { index: number }>(
  db: LinksDb,
  creator: LinkOwner | Visitor,
  link: LinkToInsert,
  returned: ReturnedColumns<Row>,
): Promise<Row | null> {
  if (creator.userId === null) {
    const [row] = await db.any(insertStatement(partsOfVisitor(creator), [[0, link]], returned));
    return row ?? null;
  }
  const [row] = await insertLinks(db, creator, [link], returned);
  return row === undefined || row === "slug-taken" ? null : row;
}

/**
 * Inserts links of one owner with their products, idempotency keys and outbox rows, in one statement for each 50 links, or a
 * few if codes are in use. For more links use a transaction. The redirect records are written by the relay.
 * @returns for each link, in order, its row; or `slug-taken`, if its slug is or was in use by any link of the same host
 * @throws UniqueIntegrityConstraintViolationError on `idempotency_keys_pkey`; nothing was then inserted by that statement
 * @throws UserDisabledError
 */
export async function insertLinks<Row extends { index: number }>(
  db: LinksDb,
  owner: LinkOwner,
  links: readonly LinkToInsert[],
  returned: ReturnedColumns<Row>,
): Promise<(Row | "slug-taken")[]> {
  const results: (Row | "slug-taken" | undefined)[] = markRepeatedSlugs(links);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const rest = [...links.entries()].filter(([index]) => results[index] === undefined);
    if (rest.length === 0) break;
    if (attempt > 0) await requireEnabled(db, owner);
    for (const index of await findTaken(db, rest)) results[index] = "slug-taken";
    const free = rest.filter(([index]) => results[index] === undefined);
    for (const batch of batches(free)) {
      for (const row of await insertFree(db, owner, batch, returned)) results[row.index] = row;
    }
  }
  return results.map((result) => {
    if (result === undefined) throw new Error(`No free short code in ${ATTEMPTS} attempts`);
    return result;
  });
}

/** The owner was disabled after the request began. */
export class UserDisabledError extends Error {
  override readonly name = "UserDisabledError";
}

async function requireEnabled(db: LinksDb, { userId }: LinkOwner): Promise<void> {
  const rows = await db.any(sql.type(z.object({ isEnabled: z.boolean() }))`
    SELECT lock_enabled_user(${userId}) AS "isEnabled"
  `);
  if (rows[0]?.isEnabled === false) throw new UserDisabledError();
}

/**
 * Inserts the link that opens at `/` of a domain. Its code may have been that of an earlier root link.
 * @returns `slug-taken` if the domain has one. The row has the first revision, also if the link replaces another one
 */
export function insertRootLink<Row extends InsertedLink>(
  db: Pick<CommonQueryMethods, "transaction">,
  owner: LinkOwner,
  domain: string,
  link: LinkAddresses & OwnerValues,
  returned: ReturnedColumns<Row>,
): Promise<Row | "slug-taken"> {
  const inserted: Promise<Row | "slug-taken"> = db.transaction(async (transaction) => {
    const revision = await transaction.oneFirst(sql.type(z.object({ revision: z.int() }))`
      SELECT release_root_code(${domain}) AS revision
    `);
    const root = { ...link, slug: "", domain };
    const [row = "slug-taken"] = await insertLinks(transaction, owner, [root], returned);
    if (row === "slug-taken") throw new RootLinkExists();
    if (revision > 1) {
      await transaction.query(sql.type(z.object({}))`
        WITH link AS (
          UPDATE links SET revision = ${revision} WHERE id = ${row.id} RETURNING short_code, revision
        ) ${insertLinkChanges}
      `);
    }
    return row;
  });
  return inserted.catch((error) => {
    if (error instanceof RootLinkExists) return "slug-taken";
    throw error;
  });
}

/** Rolls back what `release_root_code` did: it may have released the code of a root link that was just inserted. */
class RootLinkExists extends Error {}

/** Null if the name is generated. An empty name is that of a domain's root link. */
function chosenCode({ slug, domain = null }: Pick<LinkToInsert, "slug" | "domain">): string | null {
  const isChosen = slug || (slug === "" && domain !== null);
  return isChosen ? shortCodeOf(slug, domain) : null;
}

/** A code that is in the list twice is taken by the first link. */
function markRepeatedSlugs(links: readonly LinkToInsert[]): ("slug-taken" | undefined)[] {
  const seen = new Set<string>();
  return links.map((link) => {
    const code = chosenCode(link);
    if (code === null) return undefined;
    if (seen.has(code)) return "slug-taken";
    seen.add(code);
    return undefined;
  });
}

type IndexedLink = [index: number, link: LinkToInsert];

/**
 * The indexes of links whose slug is or was in use. A statement of its own, before the insert: a code that is being
 * deleted at the same time is then in `links` here, or in `retired_codes` or `link_codes` there.
 */
async function findTaken(
  db: Pick<CommonQueryMethods, "any">,
  links: readonly IndexedLink[],
): Promise<number[]> {
  const codes = links.flatMap(([, link]) => chosenCode(link) ?? []);
  if (codes.length === 0) return [];
  const wanted = sql.array(codes, "text");
  const rows = await db.any(sql.type(z.object({ code: z.string() }))`
    SELECT short_code AS code FROM links WHERE short_code = ANY(${wanted})
    UNION SELECT short_code FROM link_codes WHERE short_code = ANY(${wanted})
    UNION SELECT short_code FROM retired_codes WHERE short_code = ANY(${wanted})
  `);
  const taken = new Set<string | null>(rows.map(({ code }) => code));
  return links.flatMap(([index, link]) => (taken.has(chosenCode(link)) ? [index] : []));
}

/** Batches in the order of pages, so that concurrent transactions cannot deadlock. */
function* batches(links: readonly IndexedLink[]): Generator<readonly IndexedLink[]> {
  const sorted = links.toSorted(([, { page: a }], [, { page: b }]) =>
    (a?.canonicalUrl ?? "") < (b?.canonicalUrl ?? "") ? -1 : 1,
  );
  for (let i = 0; i < sorted.length; i += BATCH) yield sorted.slice(i, i + BATCH);
}

/** Links whose code is in use are left out: the unique index decides. None are inserted if a slug was just taken. */
async function insertFree<Row extends { index: number }>(
  db: LinksDb,
  owner: LinkOwner,
  links: readonly IndexedLink[],
  returned: ReturnedColumns<Row>,
): Promise<readonly Row[]> {
  if (links.length === 0) return [];
  const statement = insertStatement(partsOfOwner(owner), links, returned);
  if (links.every(([, link]) => chosenCode(link) === null)) return db.any(statement);
  try {
    // A savepoint if the caller has a transaction, which the error would otherwise abort.
    return await db.transaction((savepoint) => savepoint.any(statement));
  } catch (error) {
    const isSlugTaken =
      error instanceof UniqueIntegrityConstraintViolationError &&
      error.constraint === "link_codes_pkey";
    if (isSlugTaken) return [];
    throw error;
  }
}

/** What differs between the statements for users and for visitors. */
interface CreatorParts {
  /** Appended to the name of the prepared statement. */
  suffix: string;
  /** CTEs after `input`. */
  ctes: FragmentSqlToken;
  columns: FragmentSqlToken;
  values: FragmentSqlToken;
  /** After the values. */
  rest: FragmentSqlToken;
}

const partsOfOwner = ({ userId }: LinkOwner): CreatorParts => ({
  suffix: "",
  ctes: sql.fragment``,
  columns: sql.fragment`user_id, channel_id, channel_tag, ${ownerColumns}`,
  values: sql.fragment`${userId}::integer, "channelId", "channelTag", ${ownerFieldNames}`,
  // Otherwise a request in progress could add a link after those of a blocked user were taken down.
  rest: sql.fragment`FROM input WHERE (SELECT lock_enabled_user(${userId}::integer))
    ORDER BY "shortCode" ON CONFLICT (short_code) DO NOTHING`,
});

/** A code that is taken is an error, so that no row of `recent_creates` is left with it. */
const partsOfVisitor = ({ visitorKey, addressHash }: Visitor): CreatorParts => ({
  suffix: "-of-visitor",
  ctes: sql.fragment`visitor AS (
      INSERT INTO recent_creates AS recent (visitor_key, address_hash, short_code)
      SELECT ${sql.binary(visitorKey)}, ${sql.binary(addressHash)}, "shortCode" FROM input
      ON CONFLICT (visitor_key, address_hash) DO UPDATE
        SET short_code = excluded.short_code, created_at = excluded.created_at
        WHERE recent.created_at <= now() - ${milliseconds(REPEATED_CREATE_WINDOW_MS)}
      RETURNING short_code
    ),`,
  columns: sql.fragment`claim_hash, expires_at`,
  values: sql.fragment`${sql.binary(visitorKey)}, now() + ${milliseconds(ANONYMOUS_LINK_EXPIRY_MS)}`,
  rest: sql.fragment`FROM input JOIN visitor ON short_code = "shortCode"`,
});

/**
 * Inserts in the order of codes and pages, so that concurrent statements cannot deadlock. The text does not depend on the
 * links, because it may be prepared.
 */
function insertStatement<Row extends { index: number }>(
  creator: CreatorParts,
  links: readonly IndexedLink[],
  { statementName, columns, row }: ReturnedColumns<Row>,
) {
  const input = links.map(([index, { page, idempotencyKey: key, ...link }]) => {
    const code = chosenCode(link);
    return {
      index,
      ...link,
      ...page,
      shortCode: code ?? shortCodeOf(randomShortCode(), link.domain ?? null),
      isSlug: code !== null,
      keyHash: key?.keyHash.toString("hex"),
      visitorKey: key?.visitorKey?.toString("hex"),
      requestHash: key?.requestHash.toString("hex"),
      claimSeal: key?.claimSeal,
    };
  });
  const typed =
    statementName === null ? sql.type(row) : sql.prepared(`${statementName}${creator.suffix}`, row);
  return typed`
    WITH input AS MATERIALIZED (
      SELECT input.* FROM (SELECT ${setActor()}) AS actor, jsonb_to_recordset(${JSON.stringify(input)}::jsonb) AS input (
        "index" integer, "shortCode" text, "isSlug" boolean, "originalUrl" text, "webUrl" text,
        "deepLink" text, marketplace text, tag text, asin text, "canonicalUrl" text, "productId" text, "pageTitle" text,
        "channelId" integer, "channelTag" text, ${ownerFieldsWithTypes}, "keyHash" text,
        "visitorKey" text, "requestHash" text, "claimSeal" text
      )
      WHERE NOT EXISTS (SELECT FROM retired_codes WHERE short_code = "shortCode")
        AND NOT EXISTS (SELECT FROM link_codes WHERE short_code = "shortCode")
    ), ${creator.ctes} link AS (
      INSERT INTO links (
        short_code, original_url, web_url, deep_link, marketplace, tag, asin, canonical_url, page_title, product_revision,
        ${creator.columns}
      )
      SELECT "shortCode", "originalUrl", "webUrl", "deepLink", marketplace, tag, asin, "canonicalUrl", "pageTitle",
        coalesce((SELECT revision FROM products WHERE canonical_url = "canonicalUrl"), 0),
        ${creator.values}
      ${creator.rest}
      RETURNING *
    ), added AS (
      SELECT link.id, input.* FROM link JOIN input ON "shortCode" = short_code
    ), code AS (
      INSERT INTO link_codes (short_code, link_id)
      SELECT "shortCode", id FROM added WHERE "isSlug" ORDER BY "shortCode"
    ), page AS (
      INSERT INTO products (canonical_url, marketplace, product_id)
      SELECT DISTINCT ON ("canonicalUrl") "canonicalUrl", marketplace, "productId"
      FROM added WHERE "canonicalUrl" IS NOT NULL ORDER BY "canonicalUrl"
      ON CONFLICT DO NOTHING
    ), change AS (
      ${insertLinkChanges}
    ), key AS (
      INSERT INTO idempotency_keys (key_hash, visitor_key, request_hash, short_code, claim_seal)
      SELECT decode("keyHash", 'hex'), decode("visitorKey", 'hex'), decode("requestHash", 'hex'),
        "shortCode", "claimSeal"
      FROM added WHERE "keyHash" IS NOT NULL ORDER BY "keyHash"
    )
    SELECT input."index", ${columns}
    FROM link JOIN input ON "shortCode" = link.short_code
    LEFT JOIN products product USING (canonical_url)
  `;
}
