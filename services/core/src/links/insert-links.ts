import { ANONYMOUS_LINK_EXPIRY_MS, REPEATED_CREATE_WINDOW_MS } from "@tapthru/proto/rules/limits";
import { shortCodeOf } from "@tapthru/proto/rules/short-code";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { recordedCreation } from "../events.ts";
import { insertLinkChanges } from "../outbox.ts";
import { milliseconds } from "../platform/postgres/values.ts";
import { ownerColumns, ownerFieldNames, ownerFieldsWithTypes } from "./owner-columns.ts";
import type { PlannedLink } from "./plan-link.ts";
import { randomShortCode } from "./short-code.ts";

export interface User {
  userId: number;
}

export interface Visitor {
  userId: null;
  /** SHA-256 of the claim token. They get one link for an address within REPEATED_CREATE_WINDOW_MS. */
  visitorKey: Buffer;
}

export interface IndexedLink extends PlannedLink {
  index: number;
}

export interface ReturnedColumns<Row extends { index: number }> {
  /** Start of the prepared statement's name. Null: not prepared, so Postgres plans each call. */
  statementName: string | null;
  /** Columns of `link`, which the statement inserts if it is new, and of `product`. Those of `product` are null if the statement inserts it. */
  columns(isNew: boolean): FragmentSqlToken;
  row: z.ZodMiniType<Row>;
  /** The caller records the events, in the same transaction, once the links have their labels. */
  recordsLater?: boolean;
}

const InsertedLink = z.object({ index: z.int(), id: z.int(), shortCode: z.string() });
export type InsertedLink = z.infer<typeof InsertedLink>;

export const ID_AND_CODE: ReturnedColumns<InsertedLink> = {
  statementName: null,
  columns: () => sql.fragment`link.id, link.short_code AS "shortCode"`,
  row: InsertedLink,
  recordsLater: true,
};

/** The owner was disabled after the request began. */
export class UserDisabledError extends Error {
  override readonly name = "UserDisabledError";
}

const partsOfUser = ({ userId }: User) => ({
  name: "user",
  ctes: sql.fragment``,
  columns: sql.fragment`user_id, channel_id, follows_channel, ${ownerColumns}`,
  values: sql.fragment`${userId}::integer, "channelId", "followsChannel", ${ownerFieldNames}`,
  // Otherwise a request in progress could add a link after those of a blocked user were taken down.
  rest: sql.fragment`FROM input
    WHERE coalesce((SELECT state = 'enabled' FROM users WHERE id = ${userId}::integer FOR SHARE), true)
    ORDER BY "shortCode" ON CONFLICT (short_code) DO NOTHING`,
});

/** A code that is taken is an error, so that no row of `recent_creates` is left with it. */
const partsOfVisitor = ({ visitorKey }: Visitor) => ({
  name: "visitor",
  ctes: sql.fragment`visitor AS (
      INSERT INTO recent_creates AS recent (visitor_key, address_hash, short_code)
      SELECT ${sql.binary(visitorKey)}, sha256(convert_to("webUrl", 'UTF8')), "shortCode" FROM input
      ON CONFLICT (visitor_key, address_hash) DO UPDATE
        SET short_code = excluded.short_code, created_at = excluded.created_at
        WHERE recent.created_at <= now() - ${milliseconds(REPEATED_CREATE_WINDOW_MS)}
      RETURNING short_code
    ),`,
  columns: sql.fragment`claim_hash, expires_at`,
  values: sql.fragment`${sql.binary(visitorKey)}, now() + ${milliseconds(ANONYMOUS_LINK_EXPIRY_MS)}`,
  rest: sql.fragment`FROM input JOIN visitor ON short_code = "shortCode"`,
});

/** Inserts for links that have a value in the field. The CTE `added` has the input and the ids of inserted links. */
const PARTS = {
  isSlug: sql.fragment`INSERT INTO link_codes (short_code, link_id)
    SELECT "shortCode", id FROM added WHERE "isSlug" ORDER BY "shortCode"`,
  canonicalUrl: sql.fragment`INSERT INTO products (canonical_url, marketplace, product_id)
    SELECT DISTINCT ON ("canonicalUrl") "canonicalUrl", marketplace, "productId"
    FROM added WHERE "canonicalUrl" IS NOT NULL ORDER BY "canonicalUrl"
    ON CONFLICT DO NOTHING`,
  keyHash: sql.fragment`INSERT INTO idempotency_keys (key_hash, visitor_key, request_hash, short_code, claim_cipher_text)
    SELECT decode("keyHash", 'hex'), decode("visitorKey", 'hex'), decode("requestHash", 'hex'), "shortCode", "claimCipherText"
    FROM added WHERE "keyHash" IS NOT NULL ORDER BY "keyHash"`,
};

/**
 * Inserts links with their products, idempotency keys, outbox rows and events. Those whose code is in use are left out: the unique index
 * decides. It inserts in the order of codes and pages, so that concurrent statements cannot deadlock. The text depends only on the
 * parts and the kind of creator, which are in the name of the prepared statement.
 */
export function insertLinksQuery<Row extends { index: number }>(
  creator: User | Visitor,
  links: readonly IndexedLink[],
  { statementName, columns, row, recordsLater = false }: ReturnedColumns<Row>,
) {
  const ofCreator = creator.userId === null ? partsOfVisitor(creator) : partsOfUser(creator);
  const input = links.map(({ page, idempotencyKey, code, ...link }) => ({
    ...link,
    ...page,
    ...idempotencyKey,
    shortCode: code ?? shortCodeOf(randomShortCode(), link.domain),
    isSlug: code !== null,
  }));
  const parts = Object.entries(PARTS).filter(([field]) => input.some((link) => link[field as keyof typeof PARTS]));
  const ctes = parts.map(([field, insert]) => sql.fragment`, ${sql.identifier([`of ${field}`])} AS (${insert})`);
  const name = [statementName, ofCreator.name, ...parts.map(([field]) => field)].join("-");
  const typed = statementName === null ? sql.type(row) : sql.prepared(name, row);
  return typed`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(input)}::jsonb) AS input (
        "index" integer, "shortCode" text, "isSlug" boolean, "originalUrl" text, "webUrl" text,
        "deepLink" text, marketplace text, tag text, asin text, "canonicalUrl" text, "productId" text, "pageTitle" text,
        "channelId" integer, "followsChannel" boolean, ${ownerFieldsWithTypes}, "keyHash" text,
        "visitorKey" text, "requestHash" text, "claimCipherText" text
      )
      WHERE NOT EXISTS (SELECT FROM retired_codes WHERE short_code = "shortCode")
        AND NOT EXISTS (SELECT FROM link_codes WHERE short_code = "shortCode")
    ), ${ofCreator.ctes} link AS (
      INSERT INTO links (
        short_code, original_url, web_url, deep_link, marketplace, tag, asin, canonical_url, page_title,
        ${ofCreator.columns}
      )
      SELECT "shortCode", "originalUrl", "webUrl", "deepLink", marketplace, tag, asin, "canonicalUrl", "pageTitle",
        ${ofCreator.values}
      ${ofCreator.rest}
      RETURNING *
    ), ${recordsLater ? sql.fragment`` : sql.fragment`${recordedCreation()}, `}added AS (
      SELECT link.id, input.* FROM link JOIN input ON "shortCode" = short_code
    ), change AS (
      ${insertLinkChanges}
    )${sql.join([sql.fragment``, ...ctes], sql.fragment``)}
    SELECT input."index", ${columns(true)}
    FROM link JOIN input ON "shortCode" = link.short_code
    LEFT JOIN products product USING (canonical_url)
  `;
}

export function recentLinkQuery<Row extends { index: number }>(
  { visitorKey }: Visitor,
  { index, webUrl, idempotencyKey: key }: IndexedLink,
  { columns, row }: ReturnedColumns<Row>,
) {
  const bytes = (value: string | null = null) => sql.fragment`decode(${value}::text, 'hex')`;
  return sql.type(row)`
    WITH recent AS MATERIALIZED (
      SELECT recent.short_code FROM recent_creates recent
      WHERE visitor_key = ${sql.binary(visitorKey)} AND address_hash = sha256(convert_to(${webUrl}, 'UTF8'))
        AND created_at > now() - ${milliseconds(REPEATED_CREATE_WINDOW_MS)}
    ), key AS (
      INSERT INTO idempotency_keys (key_hash, visitor_key, request_hash, short_code)
      SELECT ${bytes(key?.keyHash)}, ${bytes(key?.visitorKey)}, ${bytes(key?.requestHash)}, short_code
      FROM recent WHERE ${key !== null}::boolean
    )
    SELECT ${index}::integer AS "index", ${columns(false)}
    FROM recent JOIN links link USING (short_code) LEFT JOIN products product USING (canonical_url)
  `;
}
