import { createHash, randomBytes } from "node:crypto";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { EMAIL_LINK_LIFETIME_MS, SESSION_ABSOLUTE_MS } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";

/** A reset of the password sends a link for each. */
export const ACCOUNTS_OF_UNCONFIRMED_ADDRESS_MAX = 4;

const Nothing = z.object({});

const Account = z.object({
  address: z.string(),
  createdAt: z.string(),
  isOperator: z.nullable(z.boolean()),
  isEmailVerified: z.boolean(),
  hasPassword: z.boolean(),
  hasTwoFactor: z.boolean(),
});

export function findAccount(db: Db<"maybeOne">, uid: string) {
  return db.maybeOne(sql.type(Account)`
    SELECT address, utc_text("createdAt") AS "createdAt", "isOperator", "emailVerified" AND email = address AS "isEmailVerified",
      EXISTS (
        SELECT FROM identity.account WHERE "userId" = owner.id AND "providerId" = 'credential'
      ) AS "hasPassword",
      coalesce("twoFactorEnabled", false) AS "hasTwoFactor"
    FROM identity."user" AS owner WHERE id = ${uid}
  `);
}

const LoggedIn = z.object({
  uid: z.string(),
  email: z.string(),
  name: z.string(),
  isEmailVerified: z.boolean(),
  isOperator: z.nullable(z.boolean()),
  authTime: z.int(),
  login: z.object({ loginId: z.string(), createdAt: z.int() }),
});

/** The identity of the login with this token. The person may have entered their password before the login began. */
export function findIdentity(db: Db<"maybeOne">, token: string | null | undefined) {
  return db.maybeOne(sql.type(LoggedIn)`
    SELECT owner.id AS uid, address AS email, name, "emailVerified" AND email = address AS "isEmailVerified", "isOperator",
      floor(extract(epoch FROM login."createdAt"))::int AS "authTime",
      jsonb_build_object('loginId', login.id, 'createdAt',
        floor(extract(epoch FROM "expiresAt" - ${milliseconds(SESSION_ABSOLUTE_MS)}) * 1000)::bigint) AS login
    FROM identity.session AS login JOIN identity."user" AS owner ON owner.id = "userId"
    WHERE token = ${token ?? ""} AND "expiresAt" > now()
  `);
}

export async function endLogin(db: Db<"query">, id: string): Promise<void> {
  await db.query(sql.type(Nothing)`DELETE FROM identity.session WHERE id = ${id}`);
}

export async function revokeLogins(db: Db<"query">, uid: string): Promise<void> {
  await db.query(sql.type(Nothing)`
    WITH ended AS (DELETE FROM identity.session WHERE "userId" = ${uid})
    UPDATE identity."user" SET logins_valid_from = date_trunc('second', now())
    WHERE id = ${uid}
  `);
}

/*
 * Which user has an email address. The library identifies a login by its unique column `email`. Anyone can sign up with any address,
 * which is in `address`: the first has it in `email` too, each further one a placeholder, until one of them confirms it. Who logs in
 * with the address, or resets its password, means the one with their password, or the one that they choose.
 */

const Login = z.object({ email: z.string(), isConfirmed: z.boolean() });

/** More than can sign up one after another: some may at once. */
const LOGINS_OF_ADDRESS_MAX = 2 * ACCOUNTS_OF_UNCONFIRMED_ADDRESS_MAX;

export function findLoginsOf(db: Db<"any">, address: string) {
  return db.any(sql.type(Login)`
    SELECT email, "emailVerified" AS "isConfirmed" FROM identity."user" AS owner
    WHERE address = ${address} AND EXISTS (
      SELECT FROM identity.account WHERE "userId" = owner.id AND "providerId" = 'credential'
    )
    ORDER BY "emailVerified" DESC, "createdAt" LIMIT ${LOGINS_OF_ADDRESS_MAX}
  `);
}

/** A login that no one can enter: RFC 2606 reserves the domain. */
export function placeholderEmail(): string {
  return `${randomBytes(16).toString("hex")}@unconfirmed.invalid`;
}

/**
 * Takes an address from the identity that has it without having confirmed it.
 * @param accountId of the identity that may keep it, at an OpenID provider
 */
export async function takeFromUnconfirmed(db: Db<"query">, email: string, accountId = "") {
  await db.query(sql.type(Nothing)`
    UPDATE identity."user" AS owner SET email = ${placeholderEmail()}
    WHERE email = ${email} AND NOT "emailVerified" AND NOT EXISTS (
      SELECT FROM identity.account WHERE "userId" = owner.id AND "accountId" = ${accountId}
    )
  `);
}

/** Gives an identity the address that its user has entered and now confirmed. Not if another one has confirmed it. */
export async function confirmAddress(db: Db<"query" | "exists">, uid: string): Promise<void> {
  if (await isConfirmedByOther(db, uid)) return;
  await db.query(sql.type(Nothing)`
    UPDATE identity."user" AS other SET email = ${placeholderEmail()}
    FROM identity."user" AS own
    WHERE own.id = ${uid} AND other.email = own.address AND other.id <> own.id AND NOT other."emailVerified"
  `);
  await db.query(sql.type(Nothing)`
    UPDATE identity."user" SET email = address, "emailVerified" = true WHERE id = ${uid}
  `);
}

export function isConfirmedByOther(db: Db<"exists">, userId: string): Promise<boolean> {
  return db.exists(sql.type(Nothing)`
    SELECT FROM identity."user" AS own
    JOIN identity."user" AS other ON other.email = own.address
    WHERE own.id = ${userId} AND other.id <> own.id AND other."emailVerified"
  `);
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

/** Makes a link of an email unusable. @returns whether it was usable */
export async function useEmailToken(db: Db<"query">, token: string): Promise<boolean> {
  const { rowCount } = await db.query(sql.type(Nothing)`
    DELETE FROM identity.verification WHERE identifier = ${hashOf(token)} AND "expiresAt" > now()
  `);
  return rowCount > 0;
}

export async function deleteEmailTokens(db: Db<"query">, uid: string): Promise<void> {
  await db.query(sql.type(Nothing)`DELETE FROM identity.verification WHERE value = ${uid}`);
}

const hashOf = (token: string) => createHash("sha256").update(token).digest("base64url");
