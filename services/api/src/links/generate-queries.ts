import { ANONYMOUS_LINK_EXPIRY_MS, REPEATED_CREATE_WINDOW_MS } from "@tapthru/proto/rules/limits";
import type { LinkAddresses } from "@tapthru/runtime/links/link-addresses";
import { insertLinkChanges } from "@tapthru/runtime/outbox";
import { milliseconds } from "@tapthru/runtime/postgres/milliseconds";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { Creator } from "./creator.ts";
import { LinkRow, linkColumns, RecordedLinkRow, recordedLinkColumns } from "./link-row.ts";

export interface NewLink extends LinkAddresses {
  shortCode: string;
  creator: Pick<Creator, "userId" | "visitorKey">;
  /** SHA-256 of webUrl. */
  addressHash: Buffer;
  idempotencyKey: IdempotencyKey | null;
}

export interface IdempotencyKey {
  keyHash: Buffer;
  /** Null for a new visitor. */
  visitorKey: Buffer | null;
  /** SHA-256 of the address as sent. */
  requestHash: Buffer;
  /** The claim token of a new visitor, encrypted with the key itself; otherwise null. */
  claimSeal: string | null;
}

/**
 * Creates a link with its outbox row, product and idempotency key in one statement. It is prepared: its text must not depend
 * on the link.
 * @returns null if nothing was created: a visitor without an account created a link for this address within the
 *   window, or the code is retired or an earlier code of a link
 * @throws UniqueIntegrityConstraintViolationError on `links_short_code_key` (the code is taken) or
 *   `idempotency_keys_pkey` (the key was used before)
 */
export function createLink(db: CommonQueryMethods, link: NewLink): Promise<RecordedLinkRow | null> {
  const key = link.idempotencyKey;
  const { userId, visitorKey } = link.creator;
  return db.maybeOne(sql.prepared("generate-link", RecordedLinkRow)`
    WITH free AS (
      SELECT ${link.shortCode} AS short_code
      WHERE NOT EXISTS (SELECT FROM retired_codes WHERE short_code = ${link.shortCode})
        AND NOT EXISTS (SELECT FROM link_codes WHERE short_code = ${link.shortCode})
    ), visitor AS (
      INSERT INTO recent_creates AS recent (visitor_key, address_hash, short_code)
      SELECT ${sql.binary(visitorKey)}, ${sql.binary(link.addressHash)}, short_code
      FROM free WHERE ${userId}::integer IS NULL
      ON CONFLICT (visitor_key, address_hash) DO UPDATE
        SET short_code = excluded.short_code, created_at = excluded.created_at
        WHERE recent.created_at <= now() - ${milliseconds(REPEATED_CREATE_WINDOW_MS)}
      RETURNING short_code
    ), link AS (
      INSERT INTO links (
        short_code, original_url, web_url, deep_link, canonical_url, user_id, claim_hash,
        expires_at, product_revision
      )
      SELECT short_code, ${link.originalUrl}, ${link.webUrl}, ${link.deepLink},
        ${link.page?.canonicalUrl ?? null}, ${userId}::integer,
        ${bytes(userId === null ? visitorKey : null)},
        CASE WHEN ${userId}::integer IS NULL
          THEN now() + ${milliseconds(ANONYMOUS_LINK_EXPIRY_MS)} END,
        coalesce(
          (SELECT revision FROM products WHERE canonical_url = ${link.page?.canonicalUrl ?? null}), 0
        )
      FROM free WHERE ${userId}::integer IS NOT NULL OR EXISTS (SELECT FROM visitor)
      RETURNING *
    ), page AS (
      INSERT INTO products (canonical_url, marketplace, product_id)
      SELECT canonical_url, ${link.page?.marketplace ?? null}, ${link.page?.productId ?? null}
      FROM link WHERE canonical_url IS NOT NULL
      ON CONFLICT DO NOTHING
    ), change AS (
      ${insertLinkChanges}
    ), key AS (
      INSERT INTO idempotency_keys (key_hash, visitor_key, request_hash, short_code, claim_seal)
      SELECT ${bytes(key?.keyHash)}, ${bytes(key?.visitorKey)}, ${bytes(key?.requestHash)},
        short_code, ${key?.claimSeal ?? null}
      FROM link WHERE ${key !== null}
    )
    SELECT ${recordedLinkColumns} FROM link LEFT JOIN products product USING (canonical_url)
  `);
}

/** Finds the link that a visitor without an account created for the address within the window. */
export function findRecentLink(
  db: CommonQueryMethods,
  { visitorKey, addressHash }: { visitorKey: Buffer; addressHash: Buffer },
): Promise<LinkRow | null> {
  return db.maybeOne(sql.type(LinkRow)`
    SELECT ${linkColumns}
    FROM recent_creates recent
    JOIN links link USING (short_code) LEFT JOIN products product USING (canonical_url)
    WHERE recent.visitor_key = ${sql.binary(visitorKey)}
      AND recent.address_hash = ${sql.binary(addressHash)}
      AND recent.created_at > now() - ${milliseconds(REPEATED_CREATE_WINDOW_MS)}
  `);
}

/**
 * Stores a key for an existing link.
 * @throws UniqueIntegrityConstraintViolationError on `idempotency_keys_pkey`
 */
export async function storeIdempotencyKey(
  db: CommonQueryMethods,
  key: IdempotencyKey,
  shortCode: string,
): Promise<void> {
  await db.query(sql.type(z.object({}))`
    INSERT INTO idempotency_keys (key_hash, visitor_key, request_hash, short_code)
    VALUES (${bytes(key.keyHash)}, ${bytes(key.visitorKey)}, ${bytes(key.requestHash)}, ${shortCode})
  `);
}

const IdempotencyKeyUse = z.extend(LinkRow, {
  sameRequest: z.boolean(),
  /** The same visitor, or the claim token that the first response issued. */
  sameVisitor: z.boolean(),
  takenDown: z.boolean(),
  claimSeal: z.nullable(z.string()),
});
export type IdempotencyKeyUse = z.infer<typeof IdempotencyKeyUse>;

/** Finds the link a key was used for, with its current `title` and `imageUrl`. */
export function findIdempotencyKeyUse(
  db: CommonQueryMethods,
  key: IdempotencyKey,
): Promise<IdempotencyKeyUse | null> {
  return db.maybeOne(sql.type(IdempotencyKeyUse)`
    SELECT ${linkColumns},
      key.request_hash = ${bytes(key.requestHash)} AS "sameRequest",
      key.visitor_key IS NOT DISTINCT FROM ${bytes(key.visitorKey)}
        OR coalesce(link.claim_hash = ${bytes(key.visitorKey)}, false) AS "sameVisitor",
      link.taken_down_at IS NOT NULL AS "takenDown", claim_seal AS "claimSeal"
    FROM idempotency_keys key
    JOIN links link USING (short_code) LEFT JOIN products product USING (canonical_url)
    WHERE key.key_hash = ${bytes(key.keyHash)}
  `);
}

function bytes(value: Buffer | null | undefined) {
  return sql.fragment`${value ? sql.binary(value) : null}::bytea`;
}
