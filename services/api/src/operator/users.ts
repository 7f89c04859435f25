import type { Router } from "@koa/router";
import * as calls from "@tapthru/proto/http/operator/users";
import { messages } from "@tapthru/proto/rules/messages";
import { recordAction } from "@tapthru/runtime/audit-log";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { isoOrNull } from "@tapthru/runtime/postgres/values";
import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import { findAccount } from "../accounts/built-in/queries.ts";
import type { IdentityProvider } from "../accounts/identity.ts";
import { identityUnavailable } from "../accounts/log-in.ts";
import { ApiError } from "../errors.ts";
import type { Caller } from "../http/guards.ts";
import { type Guard, mount } from "../http/mount.ts";
import type { AccountDeletions } from "../own-account/account-deletions.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { addTakeDown } from "./take-down.ts";
import {
  cancelImports,
  findUserDetails,
  findUsers,
  removeSecondFactor,
  type UserDetailsRow,
  type UserRow,
  updateState,
} from "./user-queries.ts";

export interface OperatorUsersDependencies {
  db: Db<"any" | "maybeOne" | "oneFirst" | "query" | "transaction">;
  publicBaseUrl: string;
  identity: Pick<IdentityProvider, "revoke">;
  /** Null: Firebase is the identity provider. */
  builtIn: object | null;
  sessionStore: Pick<SessionStore, "endAll" | "list">;
  accountDeletions: Pick<AccountDeletions, "delete">;
  operator: Guard<Caller>;
}

export function operatorUserRoutes(router: Router, deps: OperatorUsersDependencies) {
  const { db, identity, builtIn, sessionStore, accountDeletions, operator } = deps;
  const siteHost = new URL(deps.publicBaseUrl).host;

  mount(router, calls.listUsers, operator, async (_ctx, { query: { q = "", before } }) => {
    const { users, nextBefore } = await findUsers(db, { text: q, siteHost, before });
    return { status: 200, body: { users: users.map(userReply), nextBefore } };
  });

  mount(router, calls.getUserDetails, operator, async (ctx, { params: { id } }) => ({
    status: 200,
    body: await details(id, ctx.state.redisBudget),
  }));

  mount(router, calls.setUserState, operator, async (ctx, { caller, params: { id }, body }) => {
    const { state } = body;
    const user = await requireUser(id);
    if (id === caller.userId && state !== "enabled") throw new ApiError("own-account");
    await db.transaction(async (transaction) => {
      const earlier = await updateState(transaction, id, state);
      if (earlier === null) return;
      if (state !== "enabled") await cancelImports(transaction, id);
      const isBlocked = state === "blocked";
      if (isBlocked !== (earlier === "blocked")) {
        await addTakeDown(transaction, { cause: "user", userId: id }, isBlocked);
      }
    });
    if (state !== "enabled") {
      // An account that is disabled here gets no session, also while the provider is unavailable.
      await ctx.state.whileWaiting(() => identity.revoke(user.firebaseUid));
      await sessionStore.endAll(
        { userId: id, firebaseUid: user.firebaseUid },
        ctx.state.redisBudget,
      );
    }
    return { status: 200, body: await details(id, ctx.state.redisBudget) };
  });

  mount(router, calls.endUserSessions, operator, async (ctx, { params: { id } }) => {
    const user = await requireUser(id);
    await record("sessions.ended", user);
    // First, as otherwise an open browser could start a new session at once.
    const outcome = await ctx.state.whileWaiting(() => identity.revoke(user.firebaseUid));
    if (outcome === "unavailable") throw identityUnavailable();
    const { firebaseUid } = user;
    const ended = await sessionStore.endAll({ userId: id, firebaseUid }, ctx.state.redisBudget);
    return { status: 200, body: { ended } };
  });

  mount(router, calls.resetUserTwoFactor, operator, async (ctx, { caller, params: { id } }) => {
    const user = await requireUser(id);
    // It takes a password to remove one's own.
    if (id === caller.userId) throw new ApiError("own-account");
    if (builtIn === null) throw new ApiError("second-factor-elsewhere");
    await db.transaction(async (transaction) => {
      await record("two-factor.reset", user, transaction);
      await removeSecondFactor(transaction, user.firebaseUid);
    });
    return { status: 200, body: await details(id, ctx.state.redisBudget) };
  });

  mount(router, calls.deleteUser, operator, async (_ctx, { caller, params: { id }, body }) => {
    const { username, firebaseUid } = await requireUser(id);
    if (id === caller.userId) throw new ApiError("own-account");
    if (username !== body.username) {
      throw new ApiError("invalid-body", { message: messages.usernameDiffers, field: "username" });
    }
    await accountDeletions.delete({ userId: id, firebaseUid });
    return { status: 202, body: {} };
  });

  async function requireUser(id: number): Promise<UserDetailsRow> {
    const user = await findUserDetails(db, id);
    if (user === null) throw new ApiError("not-found");
    return user;
  }

  async function details(id: number, budget: RedisBudget): Promise<calls.UserDetails> {
    const user = await requireUser(id);
    const { firebaseUid, keys, domains, ...row } = user;
    const sessions = await sessionStore.list({ userId: id, firebaseUid }, budget);
    const account = builtIn === null ? null : await findAccount(db, firebaseUid);
    return {
      ...userReply(row),
      keys: keys.map(({ lastUsedAt, ...key }) => ({ ...key, lastUsedAt: isoOrNull(lastUsedAt) })),
      domains,
      sessionCount: sessions.length,
      hasTwoFactor: account?.hasTwoFactor ?? null,
      storage: row.storage,
    };
  }

  async function record(action: string, user: UserDetailsRow, on: Db<"query"> = db): Promise<void> {
    const { id, username } = user;
    await recordAction(on, { action, objectId: String(id), object: username, ownerId: id });
  }
}

function userReply({ createdAt, lastLoginAt, ...row }: UserRow): calls.OperatorUser {
  return {
    ...row,
    createdAt: new Date(createdAt).toISOString(),
    lastLoginAt: isoOrNull(lastLoginAt),
  };
}
