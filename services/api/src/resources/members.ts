import { hash, randomBytes } from "node:crypto";
import { changed, deleted, inserted } from "@tapthru/core/events";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { invitationInvalid } from "@tapthru/proto/accounts";
import { notAllowed, notFound } from "@tapthru/proto/general-errors";
import * as calls from "@tapthru/proto/members";
import { Member, Membership } from "@tapthru/proto/members";
import { INVITATION_LIFETIME_MS, MEMBERS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { isOpenAccount, memberOf, Role } from "../callers/acting.ts";
import { handlers } from "../callers/handlers.ts";
import { lockingUser, lockUser, requireRoom } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";

/** No call accepts a key: a leaked one must not be able to give others access. */
export const memberHandlers = handlers(calls, {
  listMembers: ({ db }, { userId }) => findMembers(db, userId),

  inviteMember: async ({ db, publicBaseUrl }, { caller, userId, body: { name, role } }) => {
    const token = randomBytes(24).toString("base64url");
    const row = await lockingUser(db, userId, async (transaction) => {
      const listed = sql.fragment`members WHERE account_id = ${userId} AND ${isListed}`;
      await requireRoom(transaction, listed, MEMBERS_MAX_COUNT, calls.tooManyMembers);
      return transaction.one(sql.type(Member)`
        WITH ${inserted("member.created")`(account_id, invited_by, name, role, token_hash, expires_at)
          VALUES (
            ${userId}, ${memberOf(caller)}, ${name}, ${role}, ${hashOf(token)}, now() + ${milliseconds(INVITATION_LIFETIME_MS)}
          )`}
        SELECT ${memberColumns} FROM object
      `);
    });
    return { ...row, url: `${publicBaseUrl}${paths.join}#token=${token}` };
  },

  /** Not their own: it would undo that another owner lowers it meanwhile. */
  updateMember: ({ db }, { caller: { personId }, userId, params: { id }, body: { role } }) =>
    afterLock(db, userId, async (transaction) => {
      const member = await transaction.maybeOne(sql.type(z.extend(Role, { memberId: z.nullable(z.int()) }))`
        WITH ${changed("member.changed", sql.fragment`id = ${id} AND account_id = ${userId}`)`role = ${role}`}
        SELECT role, member_id AS "memberId" FROM object
      `);
      if (member === null) throw new ApiError(notFound);
      if (member.memberId === personId) throw new ApiError(notAllowed);
      return member;
    }),

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

const isListed = sql.fragment`(expires_at IS NULL OR expires_at > now())`;
const memberColumns = sql.fragment`
  id, name, role, (SELECT username FROM users WHERE users.id = member_id), utc_text(joined_at) AS "joinedAt",
  utc_text(expires_at) AS "expiresAt"
`;

/** The members of an account and its open invitations, in the order in which they were invited. */
export function findMembers(db: Db<"any">, accountId: number) {
  return db.any(sql.type(Member)`
    SELECT ${memberColumns} FROM members WHERE account_id = ${accountId} AND ${isListed} ORDER BY id
  `);
}

export function findMemberships(db: Db<"any">, memberId: number) {
  return db.any(sql.type(Membership)`
    SELECT users.id, username, role FROM members JOIN users ON ${isOpenAccount}
    WHERE member_id = ${memberId} ORDER BY username
  `);
}

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
    WITH ${changed("member.changed", sql.fragment`${isUsable} AND EXISTS (SELECT FROM users WHERE ${isOpenAccount})`)`member_id = ${userId}, joined_at = now(), token_hash = NULL, expires_at = NULL`}
    SELECT users.id, username, role, firebase_uid AS "firebaseUid" FROM object JOIN users ON users.id = account_id
  `);
  if (joined === null) throw new ApiError(invitationInvalid);
  return joined;
}

/** Ends what the member made, also their keys. @throws ApiError (not-found) */
const remove = (db: Db<"transaction">, accountId: number, isRemoved: FragmentSqlToken) =>
  afterLock(db, accountId, async (transaction) => {
    const { rowCount } = await transaction.query(sql.type(z.object({}))`
      WITH ${deleted("member.deleted")`account_id = ${accountId} AND ${isRemoved}`} SELECT FROM object
    `);
    if (rowCount === 0) throw new ApiError(notFound);
    return {};
  });

/** Changes of members wait for those that are in progress, in turn. */
const afterLock = <T>(
  db: Db<"transaction">,
  accountId: number,
  change: (transaction: Db<"maybeOne" | "query">) => Promise<T>,
) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, accountId);
    return change(transaction);
  });

const hashOf = (token: string) => sql.binary(hash("sha256", token, "buffer"));
