import {
  type CommonQueryMethods,
  type FragmentSqlToken,
  sql,
  UniqueIntegrityConstraintViolationError,
} from "slonik";
import * as z from "zod/mini";
import { insertLinkChanges } from "../outbox.ts";
import type { LinkAddresses } from "./link-addresses.ts";
import { randomShortCode } from "./short-code.ts";

/** As many links with addresses of 4 KB as one statement inserts well within its timeout, also while the machine is busy. */
const BATCH = 50;
/** With a million links one collision has a chance of 1 in 27,000, so five in a row mean a bug. */
const ATTEMPTS = 5;

export interface LinkToInsert extends LinkAddresses {
  /** In the form of `cleanSlug`, and not reserved. Null: the code is generated. */
  slug: string | null;
  title: string | null;
  nickname: string | null;
  /** ISO 8601; null: never. */
  expiresAt: string | null;
  /** Stored with the link, so that it is inserted once; null: without. */
  idempotencyKey: { keyHash: Buffer; requestHash: Buffer } | null;
}

export interface LinkOwner {
  userId: number;
  /** SHA-256 of the user id, for idempotency keys. */
  visitorKey: Buffer;
}

type LinksDb = Pick<CommonQueryMethods, "any" | "transaction">;

/** What the statement returns of each link. */
export interface ReturnedColumns<Row extends { index: number }> {
  /** Of the prepared statement with these columns. Null: it is planned each time, which takes longer than to insert a link. */
  statementName: string | null;
  /** Columns of `link` and of `product`, whose columns are null if the statement inserted it. */
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
 * Inserts links of one owner with their products, idempotency keys and outbox rows, in one statement for each 50 links, or a
 * few if codes are in use. For more links use a transaction. The redirect records are written by the relay.
 * @returns for each link, in order, its row; or `slug-taken`, if its slug is or was in use by any link
 * @throws UniqueIntegrityConstraintViolationError on `idempotency_keys_pkey`; nothing was then inserted by that statement
 */
export async function insertLinks<Row extends { index: number }>(
  db: LinksDb,
  owner: LinkOwner,
  links: readonly LinkToInsert[],
  returned: ReturnedColumns<Row>,
): Promise<(Row | "slug-taken")[]> {
  const results: (Row | "slug-taken" | undefined)[] = takenWithin(links);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const rest = [...links.entries()].filter(([index]) => results[index] === undefined);
    if (rest.length === 0) break;
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

/** A slug that is in the list twice is taken by the first link. */
function takenWithin(links: readonly LinkToInsert[]): ("slug-taken" | undefined)[] {
  const seen = new Set<string>();
  return links.map(({ slug }) => {
    if (slug === null) return undefined;
    if (seen.has(slug)) return "slug-taken";
    seen.add(slug);
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
  const slugs = links.map(([, { slug }]) => slug).filter((slug) => slug !== null);
  if (slugs.length === 0) return [];
  const wanted = sql.array(slugs, "text");
  const rows = await db.any(sql.type(z.object({ slug: z.string() }))`
    SELECT short_code AS slug FROM links WHERE short_code = ANY(${wanted})
    UNION SELECT short_code FROM link_codes WHERE short_code = ANY(${wanted})
    UNION SELECT short_code FROM retired_codes WHERE short_code = ANY(${wanted})
  `);
  const taken = new Set(rows.map(({ slug }) => slug));
  return links.flatMap(([index, { slug }]) => (slug !== null && taken.has(slug) ? [index] : []));
}

/** Batches in the order of pages, so that concurrent transactions do not block each other mutually. */
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
  const statement = insertStatement(owner, links, returned);
  if (links.every(([, { slug }]) => slug === null)) return db.any(statement);
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

/** Inserts in the order of codes and pages, so that concurrent statements do not block each other mutually. */
function insertStatement<Row extends { index: number }>(
  { userId, visitorKey }: LinkOwner,
  links: readonly IndexedLink[],
  { statementName, columns, row }: ReturnedColumns<Row>,
) {
  const input = links.map(([index, { slug, page, idempotencyKey, ...link }]) => ({
    index,
    ...link,
    ...page,
    shortCode: slug ?? randomShortCode(),
    isSlug: slug !== null,
    keyHash: idempotencyKey?.keyHash.toString("hex") ?? null,
    requestHash: idempotencyKey?.requestHash.toString("hex") ?? null,
  }));
  const typed = statementName === null ? sql.type(row) : sql.prepared(statementName, row);
  return typed`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(input)}::jsonb) AS input (
        "index" integer, "shortCode" text, "isSlug" boolean, "originalUrl" text, "webUrl" text,
        "deepLink" text, "canonicalUrl" text, marketplace text, "productId" text, title text,
        nickname text, "expiresAt" timestamptz, "keyHash" text, "requestHash" text
      )
      WHERE NOT EXISTS (SELECT FROM retired_codes WHERE short_code = "shortCode")
        AND NOT EXISTS (SELECT FROM link_codes WHERE short_code = "shortCode")
    ), link AS (
      INSERT INTO links (
        short_code, original_url, web_url, deep_link, canonical_url, user_id, title, nickname,
        expires_at, product_revision
      )
      SELECT "shortCode", "originalUrl", "webUrl", "deepLink", "canonicalUrl", ${userId}, title,
        nickname, "expiresAt",
        coalesce((SELECT revision FROM products WHERE canonical_url = "canonicalUrl"), 0)
      FROM input ORDER BY "shortCode"
      ON CONFLICT (short_code) DO NOTHING
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
      INSERT INTO idempotency_keys (key_hash, visitor_key, request_hash, short_code)
      SELECT decode("keyHash", 'hex'), ${sql.binary(visitorKey)}, decode("requestHash", 'hex'),
        "shortCode"
      FROM added WHERE "keyHash" IS NOT NULL ORDER BY "keyHash"
    )
    SELECT input."index", ${columns}
    FROM link JOIN input ON "shortCode" = link.short_code
    LEFT JOIN products product USING (canonical_url)
  `;
}
