import { createHash, randomBytes } from "node:crypto";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { ROLES } from "@tapthru/proto/call";
import * as calls from "@tapthru/proto/members";
import { Member, MemberInvitation, Membership } from "@tapthru/proto/members";
import { INVITATION_LIFETIME_MS, MEMBERS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { lockUser } from "../accounts/queries.ts";
import { ApiError } from "../errors.ts";
import { handlers } from "../handlers.ts";

const Count = z.object({ count: z.int() });
/** Times are Unix milliseconds. */
const MemberRow = z.extend(Member, { createdAt: z.number() });
const InvitationRow = z.extend(MemberInvitation, { createdAt: z.number(), expiresAt: z.number() });

/** No call accepts a key: a leaked one must not be able to give others access. */
export const memberHandlers = handlers(calls, {
  listMembers: ({ db }, { userId }) => findMembers(db, userId),

  updateMember: async ({ db }, { userId, params: { id }, body: { role } }) => {
    const member = await db.maybeOne(sql.type(z.object({ role: z.enum(ROLES) }))`
      UPDATE members SET role = ${role} WHERE account_id = ${userId} AND member_id = ${id} RETURNING role
    `);
    if (member === null) throw new ApiError("not-found");
    return member;
  },

  removeMember: ({ db }, { userId, params: { id } }) => removeMember(db, userId, id),

  listMemberInvitations: async ({ db }, { userId }) => {
    const rows = await db.any(sql.type(InvitationRow)`
      SELECT ${invitationColumns} FROM member_invitations WHERE account_id = ${userId} AND expires_at > now() ORDER BY id DESC
    `);
    return rows.map(withIsoTimes);
  },

  createMemberInvitation: async ({ db, publicBaseUrl }, { userId, body: { name, role } }) => {
    const token = randomBytes(24).toString("base64url");
    const invitation = await db.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      await requireRoom(
        transaction,
        sql.fragment`member_invitations WHERE account_id = ${userId} AND expires_at > now()`,
      );
      return transaction.one(sql.type(InvitationRow)`
        INSERT INTO member_invitations (account_id, name, role, token_hash, expires_at)
        VALUES (${userId}, ${name}, ${role}, ${hashOf(token)}, now() + ${milliseconds(INVITATION_LIFETIME_MS)})
        RETURNING ${invitationColumns}
      `);
    });
    return { ...withIsoTimes(invitation), url: `${publicBaseUrl}${paths.join}#token=${token}` };
  },

  deleteMemberInvitation: async ({ db }, { userId, params: { id } }) => {
    const { rowCount } = await db.query(sql.type(z.object({}))`
      DELETE FROM member_invitations WHERE id = ${id} AND account_id = ${userId}
    `);
    if (rowCount === 0) throw new ApiError("not-found");
    return {};
  },

  listMemberships: ({ db }, { userId }) => findMemberships(db, userId),

  acceptMemberInvitation: async ({ db, sendNotice }, { userId, body: { token } }) => {
    const { firebaseUid, ...membership } = await db.transaction((transaction) => accept(transaction, userId, token));
    await sendNotice(firebaseUid, "member-joined");
    return membership;
  },

  leaveAccount: ({ db }, { userId, params: { id } }) => removeMember(db, id, userId),
});

/** The members of an account, the first first. */
export async function findMembers(db: Db<"any">, accountId: number) {
  const rows = await db.any(sql.type(MemberRow)`
    SELECT users.id, username, name, role, members.created_at AS "createdAt"
    FROM members JOIN users ON users.id = member_id WHERE account_id = ${accountId} ORDER BY members.created_at, users.id
  `);
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt).toISOString() }));
}

/** The accounts of which a user is a member. */
export function findMemberships(db: Db<"any">, memberId: number) {
  return db.any(sql.type(Membership)`
    SELECT users.id, username, role FROM members JOIN users ON users.id = account_id
    WHERE member_id = ${memberId} AND users.state = 'enabled'
      AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = account_id)
    ORDER BY username
  `);
}

const InvitedTo = z.extend(Membership, { name: z.string(), firebaseUid: z.string() });

/** Uses up an invitation. @throws ApiError */
async function accept(transaction: Db<"maybeOne" | "oneFirst" | "query">, userId: number, token: string) {
  const found = await transaction.maybeOne(sql.type(z.object({ id: z.int() }))`
    SELECT account_id AS id FROM member_invitations WHERE token_hash = ${hashOf(token)}
  `);
  if (found === null) throw new ApiError("invitation-invalid");
  // In one order: two users may invite each other.
  for (const id of [found.id, userId].sort((one, other) => one - other)) await lockUser(transaction, id);
  const invited = await transaction.maybeOne(sql.type(InvitedTo)`
    DELETE FROM member_invitations USING users
    WHERE token_hash = ${hashOf(token)} AND expires_at > now() AND users.id = account_id AND users.state = 'enabled'
      AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = account_id)
    RETURNING users.id, username, firebase_uid AS "firebaseUid", role, name
  `);
  if (invited === null) throw new ApiError("invitation-invalid");
  const { name, ...membership } = invited;
  await requireRoom(transaction, sql.fragment`members WHERE account_id = ${invited.id}`);
  await requireRoom(transaction, sql.fragment`members WHERE member_id = ${userId}`);
  const { rowCount } = await transaction.query(sql.type(z.object({}))`
    INSERT INTO members (account_id, member_id, name, role)
    SELECT ${invited.id}::integer, ${userId}::integer, ${name}, ${invited.role} WHERE ${invited.id} <> ${userId}
    ON CONFLICT DO NOTHING
  `);
  if (rowCount === 0) throw new ApiError("already-member");
  return membership;
}

/** @throws ApiError (too-many-members) */
async function requireRoom(transaction: Db<"oneFirst">, rows: FragmentSqlToken): Promise<void> {
  const count = await transaction.oneFirst(sql.type(Count)`SELECT count(*)::int AS count FROM ${rows}`);
  if (count >= MEMBERS_MAX_COUNT) throw new ApiError("too-many-members");
}

/** Also deletes their keys. @throws ApiError (not-found) */
async function removeMember(db: Db<"oneFirst">, accountId: number, memberId: number) {
  const count = await db.oneFirst(sql.type(Count)`
    WITH removed AS (
      DELETE FROM members WHERE account_id = ${accountId} AND member_id = ${memberId} RETURNING 1
    ), keys AS (
      DELETE FROM api_keys WHERE account_id = ${accountId} AND user_id = ${memberId}
    )
    SELECT count(*)::int AS count FROM removed
  `);
  if (count === 0) throw new ApiError("not-found");
  return {};
}

const invitationColumns = sql.fragment`id, name, role, created_at AS "createdAt", expires_at AS "expiresAt"`;

const withIsoTimes = (row: z.infer<typeof InvitationRow>) => ({
  ...row,
  createdAt: new Date(row.createdAt).toISOString(),
  expiresAt: new Date(row.expiresAt).toISOString(),
});

function hashOf(token: string) {
  return sql.binary(createHash("sha256").update(token).digest());
}
