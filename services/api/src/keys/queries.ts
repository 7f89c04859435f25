import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { API_KEY_SCOPES, type ApiKeyScope } from "@tapthru/proto/rules/api-key";
import { sql } from "slonik";
import * as z from "zod/mini";

const scopes = z.array(z.enum(API_KEY_SCOPES));
const Nothing = z.object({});

/** Times are Unix milliseconds. */
const KeyRow = z.object({
  id: z.int(),
  name: z.string(),
  start: z.string(),
  scopes,
  createdAt: z.number(),
  expiresAt: z.nullable(z.number()),
  lastUsedAt: z.nullable(z.number()),
});
export type KeyRow = z.infer<typeof KeyRow>;

const UsableKey = z.object({
  keyId: z.int(),
  userId: z.int(),
  firebaseUid: z.string(),
  name: z.string(),
  scopes,
});
export type UsableKey = z.infer<typeof UsableKey>;

export interface NewKey {
  userId: number;
  name: string;
  hash: Buffer;
  start: string;
  scopes: readonly ApiKeyScope[];
  /** ISO 8601; null: does not expire. */
  expiresAt: string | null;
}

const keyColumns = sql.fragment`
  id, name, start, scopes, created_at AS "createdAt", expires_at AS "expiresAt",
  last_used_at AS "lastUsedAt"
`;

/** @returns null if the key is unknown, expired or revoked, or the account of its user is disabled or being deleted */
export function findUsableKey(db: Db<"maybeOne">, hash: Buffer) {
  return db.maybeOne(sql.prepared("find-usable-key", UsableKey)`
    SELECT api_keys.id AS "keyId", user_id AS "userId", firebase_uid AS "firebaseUid", name, scopes
    FROM api_keys JOIN users ON users.id = user_id
    WHERE key_hash = ${sql.binary(hash)} AND (expires_at IS NULL OR expires_at > now())
      AND users.state = 'enabled' AND NOT EXISTS (
        SELECT FROM account_deletions WHERE account_deletions.firebase_uid = users.firebase_uid
      )
  `);
}

export function countKeys(db: Db<"oneFirst">, userId: number) {
  return db.oneFirst(sql.type(z.object({ count: z.int() }))`
    SELECT count(*)::int AS count FROM api_keys WHERE user_id = ${userId}
  `);
}

export function insertKey(db: Db<"one">, { userId, name, hash, start, scopes, expiresAt }: NewKey) {
  return db.one(sql.type(KeyRow)`
    INSERT INTO api_keys (user_id, name, key_hash, start, scopes, expires_at)
    VALUES (
      ${userId}, ${name}, ${sql.binary(hash)}, ${start}, ${sql.array([...scopes], "text")},
      ${expiresAt}::timestamptz
    )
    RETURNING ${keyColumns}
  `);
}

/** @returns false if the user has no such key */
export async function deleteKey(
  db: Db<"maybeOne">,
  { userId, id }: { userId: number; id: number },
): Promise<boolean> {
  const key = await db.maybeOne(sql.type(z.object({ id: z.int() }))`
    DELETE FROM api_keys WHERE id = ${id} AND user_id = ${userId} RETURNING id
  `);
  return key !== null;
}

/** Revokes all keys of a user. */
export async function deleteKeys(db: Db<"query">, userId: number): Promise<void> {
  await db.query(sql.type(Nothing)`DELETE FROM api_keys WHERE user_id = ${userId}`);
}

/** The names of the keys that a user still has, newest first. */
export function findKeyNames(db: Db<"anyFirst">, firebaseUid: string) {
  return db.anyFirst(sql.type(z.object({ name: z.string() }))`
    SELECT api_keys.name FROM api_keys JOIN users ON users.id = user_id
    WHERE firebase_uid = ${firebaseUid} AND (expires_at IS NULL OR expires_at > now())
    ORDER BY api_keys.id DESC
  `);
}

/** The user's keys, newest first. */
export function findKeys(db: Db<"any">, userId: number) {
  return db.any(sql.type(KeyRow)`
    SELECT ${keyColumns} FROM api_keys WHERE user_id = ${userId} ORDER BY id DESC
  `);
}

/** Times only move forward. Rows are locked in the order of their ids, to avoid deadlocks between replicas. */
export async function saveKeyUses(
  db: Db<"query">,
  uses: readonly { keyId: number; usedAt: Date }[],
): Promise<void> {
  const keyIds = uses.map(({ keyId }) => keyId);
  const usedAt = uses.map((use) => use.usedAt.toISOString());
  await db.query(sql.type(Nothing)`
    WITH use AS (
      SELECT api_keys.id, date_trunc('minute', used_at) AS minute
      FROM unnest(${sql.array(keyIds, "int4")}, ${sql.array(usedAt, "timestamptz")}) AS used (id, used_at)
      JOIN api_keys USING (id)
      WHERE last_used_at IS NULL OR last_used_at < date_trunc('minute', used_at)
      ORDER BY api_keys.id FOR NO KEY UPDATE OF api_keys
    )
    UPDATE api_keys SET last_used_at = greatest(last_used_at, minute)
    FROM use WHERE api_keys.id = use.id
  `);
}
