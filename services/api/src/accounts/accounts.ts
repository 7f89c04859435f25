import { randomInt } from "node:crypto";
import { changed, recorded } from "@tapthru/core/events";
import {
  accountDeleted,
  accountNotFound,
  createUser,
  getUser,
  updateUser,
  usernameTaken,
} from "@tapthru/proto/accounts";
import { notAllowed } from "@tapthru/proto/general-errors";
import { USERNAME_MAX_LENGTH, USERNAME_MIN_LENGTH } from "@tapthru/proto/rules/limits";
import { cleanName, usernameLookalikeKey } from "@tapthru/proto/rules/names";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import type { Guard } from "../callers/guards.ts";
import { guarded, handlers, reply } from "../callers/handlers.ts";
import { type Identity, identityUnavailable } from "../callers/identity.ts";
import { findSessionUser, findUser, lockingUser, UserRow, userColumns, userReply } from "../callers/users.ts";
import { bearerToken } from "../http/bearer-token.ts";
import { refusalOf } from "../http/error-replies.ts";
import { ApiError } from "../http/errors.ts";
import { endRefusedLogin } from "./built-in/call-library.ts";
import { acceptInvitation } from "./invitations.ts";

const loggedInAtProvider =
  ({ usersLimit, provenIdentity }: Api): Guard<Identity> =>
  async (ctx) => {
    await usersLimit.countAddress(ctx);
    const identity = await provenIdentity(ctx);
    await usersLimit.countVisitor(ctx, `account:${identity.uid}`);
    return identity;
  };

export const accountHandlers = handlers(
  { createUser, getUser, updateUser },
  {
    /** Also for an identity whose user exists. */
    createUser: guarded(loggedInAtProvider, async (api, { ctx, caller, body }) => {
      const { uid, email } = caller;
      // The provider stores addresses in lower case.
      const isOwn = uid === body.firebaseUid && email?.toLowerCase() === body.email.toLowerCase();
      if (!isOwn) throw new ApiError(notAllowed);
      const refused = (error: unknown) => endRefusedLogin(api, ctx, error);
      const result = await signUp(api, caller, body).catch((error) => refusalOf(error) ?? refused(error));
      if (result !== null && !(result instanceof ApiError)) return reply(201, userReply(api, result));
      const existing = await findUser(api.db, uid);
      if (existing !== null) return reply(200, userReply(api, existing));
      return refused(result ?? new Error("The conflicting user was deleted during the sign-up"));
    }),

    /** Checks the token first, then the session. */
    getUser: async (api, { ctx, params: { firebaseUid } }) => {
      const { db, identity, sessions } = api;
      const token = bearerToken(ctx);
      const verification = token === null ? null : await identity.verify(token);
      const isOwnToken = verification?.kind === "verified" && verification.identity.uid === firebaseUid;
      const isOwn = isOwnToken || (await sessions.read(ctx))?.firebaseUid === firebaseUid;
      if (!isOwn && verification?.kind === "unavailable") throw identityUnavailable();
      const user = isOwn ? await findUser(db, firebaseUid) : null;
      if (user === null) throw new ApiError(accountNotFound);
      return userReply(api, user);
    },

    updateUser: async (api, { caller: { userId, firebaseUid }, params, body }) => {
      if (firebaseUid !== params.firebaseUid) throw new ApiError(accountNotFound);
      const user = await lockingUser(api.db, userId, async (transaction) => {
        const before = await findSessionUser(transaction, { userId, firebaseUid });
        const {
          username = before.username,
          displayedName = before.displayedName,
          showsDisclosure = before.showsDisclosure,
          weeklyEmail = before.weeklyEmail,
        } = body;
        return transaction.one(sql.type(UserRow)`
          WITH named AS (UPDATE identity."user" SET name = ${username} WHERE id = ${firebaseUid}),
          ${changed(
            "account.changed",
            sql.fragment`id = ${userId}`,
          )`username = ${username}, username_lookalike_key = ${usernameLookalikeKey(username)},
            displayed_name = ${displayedName}, shows_disclosure = ${showsDisclosure}, weekly_email = ${weeklyEmail}`}
          SELECT ${userColumns} FROM object
        `);
      });
      return userReply(api, user);
    },
  },
);

/**
 * @returns null if a user with this identity already exists
 * @throws ApiError if the account is being deleted or was deleted within the last hour, or the person may not sign up
 * @throws UniqueIntegrityConstraintViolationError if the username is taken, or the address, which is verified, is another user's
 *   verified one, even if the existing row is of the same user, inserted by a concurrent request
 */
function signUp(
  { db, signUpMode }: Api,
  { uid: firebaseUid, email, isEmailVerified, isOperator }: Identity,
  { username, invitation }: Pick<z.output<typeof createUser.body>, "username" | "invitation">,
): Promise<UserRow | null> {
  return db.transaction(async (transaction) => {
    const user = await transaction.maybeOne(sql.type(UserRow)`
      INSERT INTO users (
        firebase_uid, email, email_is_verified, username, username_lookalike_key, is_operator
      )
      VALUES (
        ${firebaseUid}, ${email}, ${isEmailVerified}, ${username},
        ${usernameLookalikeKey(username)}, ${isOperator ?? false}
      )
      ON CONFLICT (firebase_uid) DO NOTHING
      RETURNING ${userColumns}
    `);
    // After the insert, which may have waited for a deletion to commit.
    const isBeingDeleted = await transaction.exists(sql.type(z.object({}))`
      SELECT FROM account_deletions WHERE firebase_uid = ${firebaseUid}
    `);
    if (isBeingDeleted) throw new ApiError(accountDeleted);
    if (user === null) return null;
    const makesOperator = await acceptInvitation(transaction, signUpMode, invitation);
    return transaction.one(sql.type(UserRow)`
      WITH object AS (
        UPDATE users SET is_operator = is_operator OR ${makesOperator} WHERE id = ${user.id} RETURNING *
      ), ${recorded("account.created")}
      SELECT ${userColumns} FROM object
    `);
  });
}

/** @param username null: one like the name at the provider @throws ApiError */
export async function createMissingUser(
  api: Api,
  identity: Identity & { name: string },
  { username, invitation }: { username: string | null; invitation: string | undefined },
): Promise<UserRow> {
  const create = async (name: string) => {
    const created = await signUp(api, identity, { username: name, invitation }).catch((error) => {
      throw refusalOf(error) ?? error;
    });
    // Null: a concurrent request has created it.
    const user = created ?? (await findUser(api.db, identity.uid));
    if (user === null) throw new ApiError(accountDeleted);
    return user;
  };
  if (username !== null) return create(username);
  const name = cleanName(identity.name || (identity.email ?? "").split("@", 1).join(""));
  const createWithDigits = () => create(name.slice(0, USERNAME_MAX_LENGTH - 4) + randomInt(1_000, 10_000));
  if (name.length < USERNAME_MIN_LENGTH) return createWithDigits();
  return create(name.slice(0, USERNAME_MAX_LENGTH)).catch((error) => {
    if (error instanceof ApiError && error.code === usernameTaken.code) return createWithDigits();
    throw error;
  });
}
