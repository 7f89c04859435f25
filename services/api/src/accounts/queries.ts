import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { USER_STATES } from "@tapthru/proto/http/operator/users";
import { usernameLookalikeKey } from "@tapthru/proto/rules/names";
import { sql } from "slonik";
import * as z from "zod/mini";

const UserRow = z.object({
  id: z.int(),
  username: z.string(),
  email: z.string(),
  /** The identity provider says that it is the user's. */
  emailIsVerified: z.boolean(),
  /** Unix milliseconds. */
  createdAt: z.number(),
  isOperator: z.boolean(),
  state: z.enum(USER_STATES),
});
export type UserRow = z.infer<typeof UserRow>;

export interface NewUser {
  firebaseUid: string;
  email: string;
  emailIsVerified: boolean;
  username: string;
  isOperator: boolean;
}

const userColumns = sql.fragment`
  id, username, email, email_is_verified AS "emailIsVerified", created_at AS "createdAt",
  is_operator AS "isOperator", state
`;

/**
 * @returns null if a user with this identity already exists
 * @throws UniqueIntegrityConstraintViolationError on `users_username_key`, `users_username_lookalike_key` or, if the
 *   address is verified, `users_email_key`, even if the existing row is of the same user, inserted by a concurrent request
 */
export function insertUser(db: Db<"maybeOne">, user: NewUser) {
  return db.maybeOne(sql.type(UserRow)`
    INSERT INTO users (
      firebase_uid, email, email_is_verified, username, username_lookalike_key, is_operator
    )
    VALUES (
      ${user.firebaseUid}, ${user.email}, ${user.emailIsVerified}, ${user.username},
      ${usernameLookalikeKey(user.username)}, ${user.isOperator}
    )
    ON CONFLICT (firebase_uid) DO NOTHING
    RETURNING ${userColumns}
  `);
}

/** @returns null if there is no such user or the account is being deleted */
export function findUser(db: Db<"maybeOne">, firebaseUid: string) {
  return db.maybeOne(sql.type(UserRow)`
    SELECT ${userColumns} FROM users
    WHERE firebase_uid = ${firebaseUid}
      AND NOT EXISTS (SELECT FROM account_deletions WHERE firebase_uid = ${firebaseUid})
  `);
}

/** Whether the user of a session may act. After Postgres lost rows, the id may be that of another user. */
export function isEnabledUser(db: Db<"exists">, { userId, firebaseUid }: UserKey) {
  return db.exists(sql.type(z.object({}))`
    SELECT FROM users WHERE id = ${userId} AND firebase_uid = ${firebaseUid} AND state = 'enabled'
  `);
}

interface UserKey {
  userId: number;
  firebaseUid: string;
}

/**
 * @returns null if there is no such user or the account is being deleted
 * @throws UniqueIntegrityConstraintViolationError on `users_username_key` or `users_username_lookalike_key`
 */
export function updateUsername(
  db: Db<"maybeOne">,
  { userId, firebaseUid }: UserKey,
  username: string,
) {
  return db.maybeOne(sql.type(UserRow)`
    UPDATE users
    SET username = ${username}, username_lookalike_key = ${usernameLookalikeKey(username)}
    WHERE id = ${userId} AND firebase_uid = ${firebaseUid}
      AND NOT EXISTS (SELECT FROM account_deletions WHERE firebase_uid = ${firebaseUid})
    RETURNING ${userColumns}
  `);
}

/**
 * Stores a verified address.
 * @returns null if there is no such user
 * @throws UniqueIntegrityConstraintViolationError on `users_email_key`
 */
export function updateEmail(db: Db<"maybeOne">, { userId, firebaseUid }: UserKey, email: string) {
  return db.maybeOne(sql.type(UserRow)`
    UPDATE users SET email = ${email}, email_is_verified = true
    WHERE id = ${userId} AND firebase_uid = ${firebaseUid}
    RETURNING ${userColumns}
  `);
}

/** @returns null if there is no such user */
export function updateOperator(
  db: Db<"maybeOne">,
  { userId, firebaseUid }: UserKey,
  isOperator: boolean,
) {
  return db.maybeOne(sql.type(UserRow)`
    UPDATE users SET is_operator = ${isOperator}
    WHERE id = ${userId} AND firebase_uid = ${firebaseUid}
    RETURNING ${userColumns}
  `);
}

/** @returns false if the user was disabled or deleted since they were read */
export async function recordLogin(db: Db<"maybeOne">, { userId, firebaseUid }: UserKey) {
  const user = await db.maybeOne(sql.type(z.object({ id: z.int() }))`
    UPDATE users SET last_login_at = now()
    WHERE id = ${userId} AND firebase_uid = ${firebaseUid} AND state = 'enabled'
    RETURNING id
  `);
  return user !== null;
}

/** To whom emails about an account are sent; null if its address is not confirmed. */
export function findNoticeRecipient(db: Db<"maybeOne">, firebaseUid: string) {
  return db.maybeOne(sql.type(z.object({ to: z.string(), displayName: z.string() }))`
    SELECT coalesce(identity.address, users.email) AS to, username AS "displayName"
    FROM users LEFT JOIN identity."user" AS identity ON identity.id = firebase_uid
    WHERE firebase_uid = ${firebaseUid}
      AND coalesce(identity."emailVerified" AND identity.email = identity.address, email_is_verified)
  `);
}

/** Whether the account of an identity is being deleted or was deleted within the last hour. */
export function isBeingDeleted(db: Db<"exists">, firebaseUid: string) {
  return db.exists(sql.type(z.object({}))`
    SELECT FROM account_deletions WHERE firebase_uid = ${firebaseUid}
  `);
}

/**
 * Makes other transactions wait that create links of the user, or change their keys, webhooks, labels or link patterns.
 * @returns false if the user no longer exists
 */
export async function lockUser(transaction: Db<"maybeOne">, userId: number): Promise<boolean> {
  const user = await transaction.maybeOne(sql.type(z.object({ id: z.int() }))`
    SELECT id FROM users WHERE id = ${userId} FOR NO KEY UPDATE
  `);
  return user !== null;
}
