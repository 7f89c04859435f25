import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { ACCOUNT_HEADER, OWN_ACCOUNT } from "@tapthru/proto/account-header";
import { ROLES, type Role as RoleName } from "@tapthru/proto/call";
import { accountId, notAMember, roleRequired } from "@tapthru/proto/members";
import type { Context } from "koa";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import { lockUser } from "./users.ts";

declare module "koa" {
  interface DefaultState {
    /** The user who acts, also in the account of another one: whom limits count and the audit log names. */
    personId?: number;
  }
}

export interface Acting {
  userId: number;
  personId: number;
  role: RoleName;
}

interface Person {
  userId: number;
  /** The account of an API key; null: its user's own. A session has none: each request may name one. */
  accountId?: number | null;
}

export const Role = z.object({ role: z.enum(ROLES) });

export const isOpenAccount = sql.fragment`
  users.id = account_id AND users.state = 'enabled'
  AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = account_id)
`;

/** @throws ApiError (not-a-member) if the user is no member of the account */
async function requireMember(db: Db<"maybeOneFirst">, accountId: number, memberId: number, lock = sql.fragment``) {
  const role = await db.maybeOneFirst(sql.type(Role)`
    SELECT role FROM members JOIN users ON ${isOpenAccount} WHERE account_id = ${accountId} AND member_id = ${memberId}
    ${lock}
  `);
  if (role === null) throw new ApiError(notAMember);
  return role;
}

/** @throws ApiError (not-a-member) in the same way for an unknown account, and for one that is disabled or being deleted */
export async function findActing(db: Db<"maybeOneFirst">, ctx: Context, person: Person): Promise<Acting> {
  const { userId: personId, accountId: ofKey } = person;
  ctx.state.personId = personId;
  const ownOrOfKey = ofKey ?? personId;
  const named = namesAccount(ctx) ? ctx.get(ACCOUNT_HEADER) : OWN_ACCOUNT;
  const userId = named === OWN_ACCOUNT ? ownOrOfKey : accountId.safeParse(named).data;
  const mayChoose = ofKey === undefined || userId === ownOrOfKey;
  if (userId === undefined || !mayChoose) throw new ApiError(notAMember);
  const role = userId === personId ? "owner" : await requireMember(db, userId, personId);
  return { userId, personId, role };
}

export function isMember(caller: unknown): caller is Acting {
  const { userId, personId } = Object(caller) as Partial<Acting>;
  return userId !== undefined && personId !== undefined && userId !== personId;
}

/** The member who makes something in an account; null: its user. */
export const memberOf = (caller: Acting) => (isMember(caller) ? caller.personId : null);

/** Makes a removal or another role of the member wait for the transaction. @throws ApiError */
export async function requireRoleStill(
  transaction: Db<"maybeOne" | "maybeOneFirst">,
  acting: Acting,
  needed: RoleName,
) {
  const { userId, personId } = acting;
  // Before the row of the member, as others do: handlers, and who changes the access of members.
  await lockUser(transaction, userId);
  const role = await requireMember(transaction, userId, personId, sql.fragment`FOR SHARE OF members`);
  requireRole({ role }, needed);
}

export const namesAccount = (ctx: Context) => ctx.headers[ACCOUNT_HEADER.toLowerCase()] !== undefined;

/** @throws ApiError (role-required) */
export function requireRole({ role }: Pick<Acting, "role">, needed: RoleName): void {
  if (ROLES.indexOf(role) < ROLES.indexOf(needed)) throw new ApiError(roleRequired);
}
