import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { ROLES } from "@tapthru/proto/call";
import { Member, Membership } from "@tapthru/proto/members";
import { sql } from "slonik";
import * as z from "zod/mini";

export const Role = z.object({ role: z.enum(ROLES) });

export const memberColumns = sql.fragment`
  id, name, role, (SELECT username FROM users WHERE users.id = member_id), utc_text(joined_at) AS "joinedAt",
  utc_text(expires_at) AS "expiresAt"
`;
export const isListed = sql.fragment`(expires_at IS NULL OR expires_at > now())`;

/** The members of an account and its open invitations, in the order in which they were invited. */
export function findMembers(db: Db<"any">, accountId: number) {
  return db.any(sql.type(Member)`
    SELECT ${memberColumns} FROM members WHERE account_id = ${accountId} AND ${isListed} ORDER BY id
  `);
}

/** Not disabled, nor being deleted. */
export const isOpenAccount = sql.fragment`
  users.id = account_id AND users.state = 'enabled'
  AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = account_id)
`;

export function findMemberships(db: Db<"any">, memberId: number) {
  return db.any(sql.type(Membership)`
    SELECT users.id, username, role FROM members JOIN users ON ${isOpenAccount}
    WHERE member_id = ${memberId} ORDER BY username
  `);
}

/** @returns null if the user is no member of the account */
export function findRole(db: Db<"maybeOneFirst">, accountId: number, memberId: number, lock = sql.fragment``) {
  return db.maybeOneFirst(sql.type(Role)`
    SELECT role FROM members JOIN users ON ${isOpenAccount} WHERE account_id = ${accountId} AND member_id = ${memberId}
    ${lock}
  `);
}
