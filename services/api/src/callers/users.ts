import { changed } from "@tapthru/core/events";
import { changing, type Db } from "@tapthru/core/platform/postgres/postgres";
import { User } from "@tapthru/proto/accounts";
import { loginRequired } from "@tapthru/proto/general-errors";
import { USER_STATES } from "@tapthru/proto/operator/users";
import type { ErrorReply } from "@tapthru/proto/rules/error";
import { type CommonQueryMethods, type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";

const Id = z.object({ id: z.int() });

export const UserRow = z.object({
  id: z.int(),
  username: z.string(),
  email: z.string(),
  emailIsVerified: z.boolean(),
  createdAt: z.iso.datetime(),
  displayedName: z.nullable(z.string()),
  showsDisclosure: z.boolean(),
  weeklyEmail: User.shape.weeklyEmail,
  isOperator: z.boolean(),
  state: z.enum(USER_STATES),
});
export type UserRow = z.infer<typeof UserRow>;

export const userColumns = sql.fragment`
  id, username, email, email_is_verified AS "emailIsVerified", utc_text(created_at) AS "createdAt",
  displayed_name AS "displayedName", shows_disclosure AS "showsDisclosure", weekly_email AS "weeklyEmail",
  is_operator AS "isOperator", state
`;

export interface UserKey {
  userId: number;
  firebaseUid: string;
}

/** @returns null if there is no such user or the account is being deleted */
export function findUser(db: Db<"maybeOne">, firebaseUid: string) {
  return db.maybeOne(sql.prepared("find-user", UserRow)`
    SELECT ${userColumns} FROM users
    WHERE firebase_uid = ${firebaseUid}
      AND NOT EXISTS (SELECT FROM account_deletions WHERE firebase_uid = ${firebaseUid})
  `);
}

/**
 * Finds the user of a session. After Postgres lost rows, the row of the user may have another id, and the id of the
 * session may be another user's.
 * @throws ApiError (login-required) if the user does not exist, is disabled or being deleted, or has another id
 */
export async function findSessionUser(db: Db<"maybeOne">, { userId, firebaseUid }: UserKey) {
  const user = await findUser(db, firebaseUid);
  if (user?.id !== userId || user.state !== "enabled") throw new ApiError(loginRequired);
  return user;
}

/** @param rows what follows FROM @throws ApiError (refusal) if there are `max` of them */
export async function requireRoom(
  db: Db<"oneFirst">,
  rows: FragmentSqlToken,
  max: number,
  refusal: ErrorReply,
): Promise<void> {
  const count = await db.oneFirst(sql.type(z.object({ count: z.int() }))`SELECT count(*)::int AS count FROM ${rows}`);
  if (count >= max) throw new ApiError(refusal);
}

export function userReply({ sendsEmails }: { sendsEmails: boolean }, { state: _, ...user }: UserRow): User {
  return { ...user, weeklyEmail: sendsEmails ? user.weeklyEmail : null };
}

/** Returns true if the user of a session may act. After Postgres lost rows, the id may be that of another user. */
export function isEnabledUser(db: Db<"exists">, { userId, firebaseUid }: UserKey) {
  return db.exists(sql.type(z.object({}))`
    SELECT FROM users WHERE id = ${userId} AND firebase_uid = ${firebaseUid} AND state = 'enabled'
  `);
}

/** @returns null if there is no such user */
export function changeUser(db: Db<"maybeOne">, { userId, firebaseUid }: UserKey, changes: FragmentSqlToken) {
  const isUser = sql.fragment`id = ${userId} AND firebase_uid = ${firebaseUid}`;
  return db.maybeOne(changing(UserRow)`
    WITH ${changed("account.changed", isUser)`${changes}`}
    SELECT ${userColumns} FROM object
  `);
}

/** The operators who can log in. Until the transaction ends no other one removes one of them. */
export async function lockOperators(transaction: Db<"any">): Promise<number[]> {
  // A statement of its own: the next one sees what another transaction changed meanwhile.
  await transaction.any(sql.type(Id)`
    SELECT id FROM users WHERE is_operator ORDER BY id FOR NO KEY UPDATE
  `);
  const operators = await transaction.any(sql.type(Id)`
    SELECT id FROM users WHERE is_operator AND state = 'enabled'
      AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  `);
  return operators.map(({ id }) => id);
}

export const withIdentity = sql.fragment`users LEFT JOIN identity."user" AS identity ON identity.id = firebase_uid`;
export const emailIsConfirmed = sql.fragment`
  coalesce(identity."emailVerified" AND identity.email = identity.address, email_is_verified)
`;

export function hasConfirmedEmail(db: Db<"exists">, userId: number) {
  return db.exists(sql.type(z.object({}))`
    SELECT FROM ${withIdentity} WHERE users.id = ${userId} AND ${emailIsConfirmed}
  `);
}

/** Returns the recipient of emails about an account; null if its address is not confirmed. */
export function findNoticeRecipient(db: Db<"maybeOne">, firebaseUid: string) {
  return db.maybeOne(sql.type(z.object({ to: z.string(), displayName: z.string() }))`
    SELECT coalesce(identity.address, users.email) AS to, username AS "displayName"
    FROM ${withIdentity} WHERE firebase_uid = ${firebaseUid} AND ${emailIsConfirmed}
  `);
}

/** Other transactions wait that create links of the user, or change what they have. @returns false if the user no longer exists */
export async function lockUser(transaction: Db<"maybeOne">, userId: number): Promise<boolean> {
  const user = await transaction.maybeOne(sql.type(Id)`
    SELECT id FROM users WHERE id = ${userId} FOR NO KEY UPDATE
  `);
  return user !== null;
}

/** Changes of one user wait for each other. @throws ApiError (login-required) if the user no longer exists */
export function lockingUser<Result>(
  db: Db<"transaction">,
  userId: number,
  change: (transaction: CommonQueryMethods) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (transaction) => {
    if (!(await lockUser(transaction, userId))) throw new ApiError(loginRequired);
    return change(transaction);
  });
}
