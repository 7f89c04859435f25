import { recordAction } from "@tapthru/core/platform/audit-log";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { isoOrNull } from "@tapthru/core/platform/postgres/values";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import * as calls from "@tapthru/proto/http/operator/users";
import { messages } from "@tapthru/proto/rules/messages";
import { findAccount } from "../accounts/built-in/queries.ts";
import { type IdentityProvider, identityUnavailable } from "../accounts/identity.ts";
import type { SendNotice } from "../accounts/notices.ts";
import { lockOperators } from "../accounts/queries.ts";
import { ApiError } from "../errors.ts";
import type { Caller } from "../http/guards.ts";
import { type ApiRouter, mount } from "../http/mount.ts";
import type { AccountDeletions } from "../own-account/account-deletions.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { requireRecentLogin } from "./guard.ts";
import { addTakeDown } from "./take-down.ts";
import {
  cancelImports,
  countStoredRows,
  findUserDetails,
  findUserKey,
  findUsers,
  removeSecondFactor,
  type UserKey,
  type UserRow,
  updateState,
} from "./user-queries.ts";

export interface OperatorUsersDependencies {
  db: Db<"any" | "maybeOne" | "maybeOneFirst" | "one" | "oneFirst" | "query" | "transaction">;
  publicBaseUrl: string;
  identity: Pick<IdentityProvider, "revoke">;
  /** Null: Firebase is the identity provider. */
  builtIn: object | null;
  sessionStore: Pick<SessionStore, "endAll" | "list">;
  sendNotice: SendNotice;
  accountDeletions: Pick<AccountDeletions, "delete">;
}

export function operatorUserRoutes(router: ApiRouter, deps: OperatorUsersDependencies) {
  const { db, identity, builtIn, sessionStore, accountDeletions } = deps;
  const siteHost = new URL(deps.publicBaseUrl).host;

  mount(router, calls.listUsers, async (_ctx, { query: { q = "", before } }) => {
    const { users, nextBefore } = await findUsers(db, { text: q, siteHost, before });
    return { status: 200, body: { users: users.map(userReply), nextBefore } };
  });

  mount(router, calls.getUserDetails, async (ctx, { params: { id } }) => {
    const user = await findUserDetails(db, id);
    if (user === null) throw new ApiError("not-found");
    const { firebaseUid, keys, ...row } = user;
    const sessions = await sessionStore.list({ userId: id, firebaseUid }, ctx.state.redisBudget);
    const account = builtIn === null ? null : await findAccount(db, firebaseUid);
    const body = {
      ...row,
      ...userReply(row),
      keys: keys.map(({ lastUsedAt, ...key }) => ({ ...key, lastUsedAt: isoOrNull(lastUsedAt) })),
      sessionCount: sessions.length,
      hasTwoFactor: account?.hasTwoFactor ?? null,
      storage: await countStoredRows(db, id),
    };
    return { status: 200, body };
  });

  mount(router, calls.setUserState, async (ctx, { caller, params: { id }, body }) => {
    const { state } = body;
    const { firebaseUid } = await requireUser(id);
    if (id === caller.userId && state !== "enabled") throw new ApiError("own-account");
    await db.transaction(async (transaction) => {
      // The job locks an import before its user, too.
      if (state !== "enabled") await cancelImports(transaction, id);
      // One of two operators who disable each other at the same time remains.
      const operators = await lockOperators(transaction);
      if (!operators.includes(caller.userId)) throw new ApiError("not-found");
      const earlier = await updateState(transaction, id, state);
      const isBlocked = state === "blocked";
      if (earlier !== null && isBlocked !== (earlier === "blocked")) {
        await addTakeDown(transaction, { cause: "user", userId: id }, isBlocked);
      }
    });
    if (state !== "enabled") {
      // Each request checks the state, so that a session that remains is of no use while Redis or the provider is unavailable.
      await bestEffort(sessionStore.endAll({ userId: id, firebaseUid }, ctx.state.redisBudget));
      await ctx.state.whileWaiting(() => identity.revoke(firebaseUid), { mayReject: false });
    }
    return { status: 200, body: {} };
  });

  mount(router, calls.endUserSessions, async (ctx, { params: { id } }) => {
    const user = await requireUser(id);
    await record("sessions.ended", user);
    // First, as otherwise an open browser could start a new session at once.
    const outcome = await ctx.state.whileWaiting(() => identity.revoke(user.firebaseUid), {
      mayReject: false,
    });
    if (outcome === "unavailable") throw identityUnavailable();
    const { firebaseUid } = user;
    const ended = await sessionStore.endAll({ userId: id, firebaseUid }, ctx.state.redisBudget);
    return { status: 200, body: { ended } };
  });

  mount(router, calls.resetUserTwoFactor, async (_ctx, { caller, params: { id } }) => {
    requireRecentLogin(caller);
    const user = await requireUser(id);
    // It takes a password to remove one's own.
    refuseOperator(caller, user);
    if (builtIn === null) throw new ApiError("second-factor-elsewhere");
    await db.transaction(async (transaction) => {
      await record("two-factor.reset", user, transaction);
      await removeSecondFactor(transaction, user.firebaseUid);
    });
    await deps.sendNotice(user.firebaseUid, "two-factor-disabled");
    return { status: 200, body: {} };
  });

  mount(router, calls.deleteUser, async (_ctx, { caller, params: { id }, body }) => {
    requireRecentLogin(caller);
    const user = await requireUser(id);
    refuseOperator(caller, user);
    const { username, firebaseUid } = user;
    if (username !== body.username) {
      throw new ApiError("invalid-body", { message: messages.usernameDiffers, field: "username" });
    }
    await accountDeletions.delete({ userId: id, firebaseUid });
    return { status: 202, body: {} };
  });

  async function requireUser(id: number): Promise<UserKey> {
    const user = await findUserKey(db, id);
    if (user === null) throw new ApiError("not-found");
    return user;
  }

  async function record(action: string, user: UserKey, on: Db<"query"> = db): Promise<void> {
    const { id, username } = user;
    await recordAction(on, { action, objectId: String(id), object: username, ownerId: id });
  }
}

function refuseOperator(caller: Caller, user: UserKey): void {
  if (user.id === caller.userId) throw new ApiError("own-account");
  if (user.isOperator) throw new ApiError("operator-account");
}

function userReply({ createdAt, lastLoginAt, ...row }: UserRow): calls.OperatorUser {
  return {
    ...row,
    createdAt: new Date(createdAt).toISOString(),
    lastLoginAt: isoOrNull(lastLoginAt),
  };
}
