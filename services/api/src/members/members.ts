import { hash, randomBytes } from "node:crypto";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { invitationInvalid } from "@tapthru/proto/accounts";
import { notAllowed, notFound } from "@tapthru/proto/general-errors";
import * as calls from "@tapthru/proto/members";
import { Membership } from "@tapthru/proto/members";
import { INVITATION_LIFETIME_MS, MEMBERS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { memberOf } from "../callers/acting.ts";
import {
  findMembers,
  findMemberships,
  isListed,
  isOpenAccount,
  memberColumns,
  Role,
} from "../callers/member-queries.ts";
import { lockingUser, lockUser, requireRoom } from "../callers/users.ts";
import { handlers } from "../calls/handlers.ts";
import { ApiError } from "../http/errors.ts";

type Transaction = Db<"maybeOne" | "oneFirst">;

const Count = z.object({ count: z.int() });

/** No call accepts a key: a leaked one must not be able to give others access. */
export const memberHandlers = handlers(calls, {
  listMembers: ({ db }, { userId }) => findMembers(db, userId),

  inviteMember: async ({ db, publicBaseUrl }, { caller, userId, body: { name, role } }) => {
    const token = randomBytes(24).toString("base64url");
    const row = await lockingUser(db, userId, async (transaction) => {
      const listed = sql.fragment`members WHERE account_id = ${userId} AND ${isListed}`;
      await requireRoom(transaction, listed, MEMBERS_MAX_COUNT, calls.tooManyMembers);
      return transaction.one(sql.type(calls.Member)`
        INSERT INTO members (account_id, invited_by, name, role, token_hash, expires_at)
        VALUES (
          ${userId}, ${memberOf(caller)}, ${name}, ${role}, ${hashOf(token)}, now() + ${milliseconds(INVITATION_LIFETIME_MS)}
        )
        RETURNING ${memberColumns}
      `);
    });
    return { ...row, url: `${publicBaseUrl}${paths.join}#token=${token}` };
  },

  /** Not their own: it would undo that another owner lowers it meanwhile. */
  updateMember: async ({ db }, { caller, userId, params: { id }, body: { role } }) => {
    const changed = await afterLock(db, userId, (transaction) =>
      transaction.maybeOne(sql.type(z.extend(Role, { isOwn: z.boolean() }))`
      UPDATE members SET role = CASE WHEN member_id = ${caller.personId} THEN role ELSE ${role} END
      WHERE id = ${id} AND account_id = ${userId}
      RETURNING role, member_id IS NOT DISTINCT FROM ${caller.personId} AS "isOwn"
    `),
    );
    if (changed === null) throw new ApiError(notFound);
    if (changed.isOwn) throw new ApiError(notAllowed);
    return changed;
  },

  removeMember: ({ db }, { userId, params: { id } }) => remove(db, userId, sql.fragment`id = ${id}`),

  listMemberships: ({ db }, { userId }) => findMemberships(db, userId),

  joinAccount: async ({ db, sendNotice }, { userId, body: { token } }) => {
    const { firebaseUid, ...membership } = await lockingUser(db, userId, async (transaction) => {
      const own = sql.fragment`members WHERE member_id = ${userId}`;
      await requireRoom(transaction, own, MEMBERS_MAX_COUNT, calls.tooManyMembers);
      return join(transaction, userId, token);
    });
    await sendNotice(firebaseUid, "member-joined");
    return membership;
  },

  leaveAccount: ({ db }, { userId, params: { id } }) => remove(db, id, sql.fragment`member_id = ${userId}`),
});

/** Uses up an invitation. @throws ApiError */
async function join(transaction: Db<"maybeOne" | "exists">, userId: number, token: string) {
  const isUsable = sql.fragment`token_hash = ${hashOf(token)} AND expires_at > now()`;
  const hasAccess = await transaction.exists(sql.type(z.object({}))`
    SELECT FROM members AS invitation WHERE ${isUsable} AND (account_id = ${userId} OR EXISTS (
      SELECT FROM members WHERE members.account_id = invitation.account_id AND members.member_id = ${userId}
    ))
  `);
  if (hasAccess) throw new ApiError(calls.alreadyMember);
  const joined = await transaction.maybeOne(sql.type(z.extend(Membership, { firebaseUid: z.string() }))`
    UPDATE members SET member_id = ${userId}, joined_at = now(), token_hash = NULL, expires_at = NULL
    FROM users WHERE ${isUsable} AND ${isOpenAccount}
    RETURNING users.id, username, role, firebase_uid AS "firebaseUid"
  `);
  if (joined === null) throw new ApiError(invitationInvalid);
  return joined;
}

/** Also deletes the keys of the member. What else they made ends by triggers. @throws ApiError (not-found) */
async function remove(db: Db<"transaction">, accountId: number, isRemoved: FragmentSqlToken) {
  const count = await afterLock(db, accountId, (transaction) =>
    transaction.oneFirst(sql.type(Count)`
    WITH removed AS (DELETE FROM members WHERE account_id = ${accountId} AND ${isRemoved} RETURNING *), keys AS (
      DELETE FROM api_keys USING removed
      WHERE api_keys.account_id = removed.account_id AND user_id = removed.member_id
    )
    SELECT count(*)::int AS count FROM removed
  `),
  );
  if (count === 0) throw new ApiError(notFound);
  return {};
}

/** Changes of members wait for those that are in progress, in turn. */
const afterLock = <T>(db: Db<"transaction">, accountId: number, change: (transaction: Transaction) => Promise<T>) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, accountId);
    return change(transaction);
  });

const hashOf = (token: string) => sql.binary(hash("sha256", token, "buffer"));
