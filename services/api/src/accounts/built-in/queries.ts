import { createHash } from "node:crypto";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { EMAIL_LINK_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";

const Nothing = z.object({});
const Key = z.object({ publicKey: z.string() });

/** The public key of tokens, as a JSON Web Key; null if it is unknown or no longer valid. */
export function findKey(db: Db<"maybeOneFirst">, id: string): Promise<string | null> {
  return db.maybeOneFirst(sql.type(Key)`
    SELECT "publicKey" FROM identity.jwks
    WHERE id = ${id} AND ("expiresAt" IS NULL OR "expiresAt" > now() - interval '1 day')
  `);
}

const Login = z.object({
  uid: z.string(),
  email: z.string(),
  isEmailVerified: z.boolean(),
  /** Unix seconds. */
  authTime: z.int(),
  isOperator: z.nullable(z.boolean()),
});

/** The identity of a login; null if the login has ended. */
export function findLogin(
  db: Db<"maybeOne">,
  { sessionId, userId }: { sessionId: string; userId: string },
) {
  return db.maybeOne(sql.type(Login)`
    SELECT owner.id AS uid, address AS email, "emailVerified" AND email = address AS "isEmailVerified",
      floor(extract(epoch FROM login."createdAt"))::int AS "authTime", "isOperator"
    FROM identity.session AS login JOIN identity."user" AS owner ON owner.id = login."userId"
    WHERE login.id = ${sessionId} AND owner.id = ${userId} AND login."expiresAt" > now()
  `);
}

const Usable = z.object({
  id: z.string(),
  /** Unix milliseconds; 0: no logins were revoked. */
  loginsValidFrom: z.int(),
});

export function findUsable(db: Db<"any">, uids: readonly string[]) {
  return db.any(sql.type(Usable)`
    SELECT id, CASE WHEN isfinite(logins_valid_from)
      THEN floor(extract(epoch FROM logins_valid_from) * 1000)::bigint ELSE 0 END AS "loginsValidFrom"
    FROM identity."user" WHERE id = ANY(${sql.array([...uids], "text")})
  `);
}

/** Ends all logins of a user. */
export async function revokeLogins(db: Db<"query">, uid: string): Promise<void> {
  await db.query(sql.type(Nothing)`
    WITH ended AS (DELETE FROM identity.session WHERE "userId" = ${uid})
    UPDATE identity."user" SET logins_valid_from = date_trunc('second', now())
    WHERE id = ${uid}
  `);
}

/** Revokes the logins that are older than those the user still has. */
export async function revokeEarlierLogins(db: Db<"query">, uid: string): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE identity."user" SET logins_valid_from = coalesce(
      (SELECT date_trunc('second', min("createdAt")) FROM identity.session WHERE "userId" = ${uid}), now()
    ) WHERE id = ${uid}
  `);
}

export async function deleteIdentity(db: Db<"query">, uid: string): Promise<void> {
  await db.query(sql.type(Nothing)`DELETE FROM identity."user" WHERE id = ${uid}`);
}

/** The email of an account, if its logins were not revoked since. */
export function findKnownLogin(
  db: Db<"maybeOneFirst">,
  { uid, since }: { uid: string; since: Date },
): Promise<string | null> {
  return db.maybeOneFirst(sql.type(z.object({ email: z.string() }))`
    SELECT email FROM identity."user" WHERE id = ${uid} AND logins_valid_from <= ${since.toISOString()}
  `);
}

const Account = z.object({
  address: z.string(),
  displayName: z.string(),
  isEmailVerified: z.boolean(),
  hasPassword: z.boolean(),
  hasTwoFactor: z.boolean(),
});

/** What pages show of an identity. */
export function findAccount(db: Db<"maybeOne">, uid: string) {
  return db.maybeOne(sql.type(Account)`
    SELECT address, name AS "displayName", "emailVerified" AND email = address AS "isEmailVerified",
      EXISTS (
        SELECT FROM identity.account WHERE "userId" = owner.id AND "providerId" = 'credential'
      ) AS "hasPassword",
      coalesce("twoFactorEnabled", false) AS "hasTwoFactor"
    FROM identity."user" AS owner WHERE id = ${uid}
  `);
}

export function countPasskeys(db: Db<"oneFirst">, uid: string): Promise<number> {
  return db.oneFirst(sql.type(z.object({ count: z.int() }))`
    SELECT count(*)::int AS count FROM identity.passkey WHERE "userId" = ${uid}
  `);
}

/**
 * A user who resets the password of an account has proved that its unconfirmed address is theirs. Another person may have created
 * the account: everything with which that person could still enter it or learn of it is deleted.
 */
export async function removeCreatorsAccess(db: Db<"query">, uid: string): Promise<void> {
  await db.query(sql.type(Nothing)`
    WITH passkeys AS (DELETE FROM identity.passkey WHERE "userId" = ${uid}),
    factors AS (DELETE FROM identity."twoFactor" WHERE "userId" = ${uid}),
    keys AS (
      DELETE FROM api_keys USING users WHERE users.firebase_uid = ${uid} AND api_keys.user_id = users.id
    )
    UPDATE identity."user" SET "emailVerified" = true, "twoFactorEnabled" = false WHERE id = ${uid}
  `);
}

/** Deletes an identity for which there is no user. @returns false if there is one */
export async function deleteUnusedIdentity(db: Db<"query">, uid: string): Promise<boolean> {
  const { rowCount } = await db.query(sql.type(Nothing)`
    DELETE FROM identity."user"
    WHERE id = ${uid} AND NOT EXISTS (SELECT FROM users WHERE firebase_uid = ${uid})
  `);
  return rowCount > 0;
}

/** The library's tokens for the confirmation of an address are signed, not stored: this makes them valid once. */
export async function insertEmailToken(db: Db<"query">, uid: string, token: string): Promise<void> {
  await db.query(sql.type(Nothing)`
    INSERT INTO identity.verification (id, identifier, value, "expiresAt")
    VALUES (
      gen_random_uuid()::text, ${hashOf(token)}, ${uid}, now() + ${milliseconds(EMAIL_LINK_LIFETIME_MS)}
    )
  `);
}

/**
 * @param token of a confirmation, or `reset-password:` and that of a reset
 * @returns the id of its identity; null if the token was used, or is no longer valid
 */
export function findEmailToken(db: Db<"maybeOneFirst">, token: string): Promise<string | null> {
  return db.maybeOneFirst(sql.type(z.object({ value: z.string() }))`
    SELECT value FROM identity.verification
    WHERE identifier = ${hashOf(token)} AND "expiresAt" > now() LIMIT 1
  `);
}

/** Ends all links that were sent to an identity, those for a new password too. */
export async function deleteEmailTokens(db: Db<"query">, uid: string): Promise<void> {
  await db.query(sql.type(Nothing)`DELETE FROM identity.verification WHERE value = ${uid}`);
}

const hashOf = (token: string) => createHash("sha256").update(token).digest("base64url");

/** Whether an identity has confirmed this address. */
export function isConfirmed(db: Db<"exists">, email: string): Promise<boolean> {
  return db.exists(sql.type(Nothing)`
    SELECT FROM identity."user" WHERE email = ${email} AND "emailVerified"
  `);
}

/** Whether an identity logs in with this address. */
export function hasLogin(db: Db<"exists">, email: string): Promise<boolean> {
  return db.exists(sql.type(Nothing)`SELECT FROM identity."user" WHERE email = ${email}`);
}
