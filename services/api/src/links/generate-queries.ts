import type { IdempotencyKey } from "@tapthru/core/links/insert-links";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { REPEATED_CREATE_WINDOW_MS } from "@tapthru/proto/rules/limits";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import { LinkRow, linkColumns } from "./link-row.ts";

/** Finds the link that a visitor without an account created for the address within the window. */
export function findRecentLink(
  db: CommonQueryMethods,
  { visitorKey, addressHash }: { visitorKey: Buffer; addressHash: Buffer },
) {
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
) {
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

/** Finds the link a key was used for, with its current `title` and `imageUrl`. */
export function findIdempotencyKeyUse(db: CommonQueryMethods, key: IdempotencyKey) {
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
