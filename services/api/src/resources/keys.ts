import { deleted, inserted } from "@tapthru/core/events";
import { changing, type Db } from "@tapthru/core/platform/postgres/postgres";
import { notFound } from "@tapthru/proto/general-errors";
import * as calls from "@tapthru/proto/keys";
import { ApiKey } from "@tapthru/proto/keys";
import { API_KEY_PREFIX } from "@tapthru/proto/rules/api-key";
import { KEYS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import type { Acting } from "../callers/acting.ts";
import { handlers } from "../callers/handlers.ts";
import { keyHash, keyStart, randomKey } from "../callers/key-text.ts";
import { findSessionUser, lockingUser, requireRoom } from "../callers/users.ts";
import { ApiError, malformed } from "../http/errors.ts";

const keyColumns = sql.fragment`
  id, name, start, scopes, utc_text(created_at) AS "createdAt", utc_text(expires_at) AS "expiresAt",
  utc_text(last_used_at) AS "lastUsedAt",
  CASE WHEN account_id IS NOT NULL THEN (SELECT username FROM users WHERE users.id = user_id) END AS username
`;

/** The code of a program that never fetched its key. */
const isLost = sql.fragment`start = ${API_KEY_PREFIX} AND expires_at <= now()`;

/** None of these calls accepts a key: a leaked key must not be able to create another one. */
export const keyHandlers = handlers(calls, {
  createKey: async (api, { caller, body }) => {
    const key = randomKey();
    return { ...(await insertKey(api, caller, body, [keyHash(key), keyStart(key)])), key };
  },

  listKeys: ({ db }, { caller }) => findKeys(db, isSeenBy(caller)),

  revokeKey: async ({ db }, { caller, params: { id } }) => {
    if (!(await deleteWhere(db, sql.fragment`id = ${id} AND ${isSeenBy(caller)}`))) throw new ApiError(notFound);
    return {};
  },
});

export async function insertKey(
  { db, sendNotice }: Pick<Api, "db" | "sendNotice">,
  { personId, userId, firebaseUid }: Acting & { firebaseUid: string },
  { name, scopes, expiresAt = null }: z.output<typeof calls.createKey.body>,
  [hash, start]: readonly [Buffer, string],
): Promise<ApiKey> {
  const row = await lockingUser(db, personId, async (transaction) => {
    const { isOperator } = await findSessionUser(transaction, { userId: personId, firebaseUid });
    // As for a scope that does not exist.
    if (scopes.includes("operator") && !(isOperator && userId === personId)) throw malformed("scopes");
    const isOwn = isOf({ personId, userId });
    await deleteWhere(transaction, sql.fragment`${isOwn} AND ${isLost}`);
    const own = sql.fragment`api_keys WHERE ${isOwn}`;
    await requireRoom(transaction, own, KEYS_MAX_COUNT, calls.tooManyKeys);
    return transaction.one(sql.type(ApiKey)`
      WITH ${inserted("key.created")`(user_id, account_id, name, key_hash, start, scopes, expires_at)
        VALUES (
          ${personId}, nullif(${userId}::integer, ${personId}::integer), ${name}, ${sql.binary(hash)}, ${start},
          ${sql.array([...scopes], "text")}, ${expiresAt}::timestamptz
        )`}
      SELECT ${keyColumns} FROM object
    `);
  });
  await sendNotice(firebaseUid, "key-created");
  return row;
}

const isOf = ({ personId, userId }: Pick<Acting, "personId" | "userId">) =>
  sql.fragment`user_id = ${personId} AND coalesce(account_id, user_id) = ${userId}`;

/** Owners also see those of members. */
const isSeenBy = (acting: Acting) =>
  acting.role === "owner" ? sql.fragment`(${isOf(acting)} OR account_id = ${acting.userId})` : isOf(acting);

export function findKeys(db: Db<"any">, isFound: FragmentSqlToken) {
  return db.any(sql.type(ApiKey)`
    SELECT ${keyColumns} FROM api_keys WHERE ${isFound} AND NOT (${isLost}) ORDER BY id DESC
  `);
}

export async function deleteKeys(db: Db<"any">, userId: number): Promise<void> {
  await deleteWhere(db, sql.fragment`user_id = ${userId} OR account_id = ${userId}`);
}

/** @returns whether there were any */
export async function deleteWhere(db: Db<"any">, which: FragmentSqlToken): Promise<boolean> {
  const keys = await db.any(changing(z.object({ id: z.int() }))`
    WITH ${deleted("key.deleted")`${which}`} SELECT id FROM object
  `);
  return keys.length > 0;
}
