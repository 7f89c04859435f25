import { RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import { deleteAccount, exportAccount } from "@tapthru/proto/http/own-account";
import { RECENT_LOGIN_MS } from "@tapthru/proto/rules/limits";
import type { Context } from "koa";
import { findSessionUser } from "../accounts/users.ts";
import { ApiError } from "../errors.ts";
import { type ApiRouter, mount } from "../http/mount.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { AccountDeletions } from "./account-deletions.ts";
import { accountExport, type ExportDependencies } from "./export-account.ts";

export interface OwnAccountRoutesDependencies extends ExportDependencies {
  accountDeletions: Pick<AccountDeletions, "delete">;
  sessions: Pick<Sessions, "end">;
}

export function ownAccountRoutes(router: ApiRouter, deps: OwnAccountRoutesDependencies) {
  const { db, accountDeletions, sessions } = deps;

  mount(router, exportAccount, async (ctx, { caller }) => {
    const body = await accountExport(deps, caller, ctx.state.redisBudget);
    ctx.attachment("account.json");
    return { status: 200, body };
  });

  mount(router, deleteAccount, async (ctx, { caller, body }) => {
    const { userId, firebaseUid } = caller;
    const user = await findSessionUser(db, caller);
    if (user.email.toLowerCase() !== body.email.trim().toLowerCase()) {
      throw new ApiError("email-differs");
    }
    if (Date.now() - caller.authTime * 1_000 > RECENT_LOGIN_MS) {
      throw new ApiError("recent-login-required");
    }
    await accountDeletions.delete({ userId, firebaseUid });
    await tryEndSession(ctx);
    return { status: 200, body: {} };
  });

  /** The account is deleted even if Redis is unavailable and the session cannot be ended. */
  async function tryEndSession(ctx: Context): Promise<void> {
    try {
      await sessions.end(ctx);
    } catch (error) {
      if (!(error instanceof RedisUnavailableError)) throw error;
    }
  }
}
