import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { User } from "@tapthru/proto/http/accounts";
import type { SignUpMode } from "@tapthru/proto/http/public-config";
import { UniqueIntegrityConstraintViolationError } from "slonik";
import { ApiError } from "../errors.ts";
import { actAsUser } from "../http/request-actor.ts";
import type { LiveSession } from "../sessions/sessions.ts";
import type { Identity } from "./identity.ts";
import { acceptInvitation } from "./invitations.ts";
import {
  findUser,
  insertUser,
  isBeingDeleted,
  type NewUser,
  type UserRow,
  updateEmail,
  updateOperator,
  updateUsername,
} from "./queries.ts";

interface SignUp {
  signUpMode: SignUpMode;
  invitation: string | undefined;
}

/**
 * Creates the user of an identity, or returns the existing one.
 * @throws ApiError if the username is taken, another user has verified the email address, which is verified, the account is being
 *   deleted, or the person may not sign up
 */
export async function signUp(
  db: Db<"maybeOne" | "transaction">,
  newUser: NewUser,
  options: SignUp,
): Promise<{ isNew: boolean; user: UserRow }> {
  try {
    const user = await insertUnlessDeleted(db, newUser, options);
    if (user) return { isNew: true, user };
  } catch (error) {
    const taken = uniquenessError(error);
    const user = taken && (await findUser(db, newUser.firebaseUid));
    if (user) return { isNew: false, user };
    throw taken ?? error;
  }
  const user = await findUser(db, newUser.firebaseUid);
  if (user) return { isNew: false, user };
  throw new Error("The conflicting user was deleted during the sign-up");
}

/** Checks for a deletion after the insert, because the insert may have waited for that deletion to commit. */
function insertUnlessDeleted(
  db: Db<"maybeOne" | "transaction">,
  newUser: NewUser,
  { signUpMode, invitation }: SignUp,
): Promise<UserRow | null> {
  return db.transaction(async (transaction) => {
    const user = await insertUser(transaction, newUser);
    if (await isBeingDeleted(transaction, newUser.firebaseUid)) {
      throw new ApiError("account-deleted");
    }
    if (user === null || !(await acceptInvitation(transaction, signUpMode, invitation)))
      return user;
    return updateOperator(transaction, { userId: user.id, ...newUser }, true);
  });
}

/**
 * The response to a username that another user has, or an email address that another user has verified. Null for any other
 * error.
 */
function uniquenessError(error: unknown): ApiError | null {
  if (!(error instanceof UniqueIntegrityConstraintViolationError)) return null;
  switch (error.constraint) {
    case "users_username_key":
    case "users_username_lookalike_key":
      return new ApiError("username-taken", { field: "username" });
    case "users_email_key":
      return new ApiError("email-taken", { field: "email" });
    default:
      return null;
  }
}

/**
 * Stores the email address of an identity after its user has changed or verified it at the provider. Keeps the stored
 * address if the new one is not verified, because anyone could have entered it, or while another user has it.
 * @returns the user with the stored address
 */
export async function syncVerifiedEmail(
  { db, log }: { db: Db<"maybeOne">; log: Pick<Logger, "warn"> },
  user: UserRow,
  { uid: firebaseUid, email, isEmailVerified }: Identity,
): Promise<UserRow> {
  if (email === null || !isEmailVerified) return user;
  if (email === user.email && user.emailIsVerified) return user;
  try {
    const { id: userId } = user;
    const update = () => updateEmail(db, { userId, firebaseUid }, email);
    return (await actAsUser(userId, update)) ?? user;
  } catch (error) {
    if (uniquenessError(error) === null) throw error;
    log.warn({ event: "email_not_updated" }, "another user has the new email address of a user");
    return user;
  }
}

/**
 * Changes the username of a session's user.
 * @throws ApiError if the name is taken, or the user does not exist or is being deleted
 */
export async function renameUser(
  db: Db<"maybeOne">,
  session: Pick<LiveSession, "userId" | "firebaseUid">,
  username: string,
): Promise<UserRow> {
  const user = await updateUsername(db, session, username).catch((error) => {
    throw uniquenessError(error) ?? error;
  });
  if (user === null) throw new ApiError("login-required");
  return user;
}

/**
 * Finds the user of a session. After Postgres lost rows, the row of the user may have another id, and the id of the
 * session may be another user's.
 * @throws ApiError (login-required) if the user does not exist, is disabled or being deleted, or has another id
 */
export async function findSessionUser(
  db: Db<"maybeOne">,
  { userId, firebaseUid }: Pick<LiveSession, "userId" | "firebaseUid">,
): Promise<UserRow> {
  const user = await findUser(db, firebaseUid);
  if (user?.id !== userId || user.state !== "enabled") throw new ApiError("login-required");
  return user;
}

/** Follows the groups of an OpenID provider, if they say who is an operator. */
export async function syncOperator(
  db: Db<"maybeOne">,
  user: UserRow,
  { uid: firebaseUid, isOperator }: Identity,
): Promise<UserRow> {
  if (isOperator === null || isOperator === user.isOperator) return user;
  const { id: userId } = user;
  const update = () => updateOperator(db, { userId, firebaseUid }, isOperator);
  return (await actAsUser(userId, update)) ?? user;
}

export function userReply({ emailIsVerified: _, state: __, ...user }: UserRow): User {
  return { ...user, createdAt: new Date(user.createdAt).toISOString() };
}
