import { RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import { emailDiffers } from "@tapthru/proto/accounts";
import { recentLoginRequired } from "@tapthru/proto/general-errors";
import * as calls from "@tapthru/proto/own-account";
import { RECENT_LOGIN_MS } from "@tapthru/proto/rules/limits";
import { findSessionUser } from "../callers/users.ts";
import { handlers } from "../calls/handlers.ts";
import { ApiError } from "../http/errors.ts";
import { accountExport } from "./export-account.ts";

export const ownAccountHandlers = handlers(calls, {
  exportAccount: async (api, { ctx, caller }) => {
    const body = await accountExport(api, caller, ctx.state.redisBudget);
    ctx.attachment("account.json");
    return body;
  },

  deleteAccount: async ({ db, accountDeletions, sessions }, { ctx, caller, body }) => {
    const { userId, firebaseUid, authTime } = caller;
    const user = await findSessionUser(db, caller);
    if (user.email.toLowerCase() !== body.email.trim().toLowerCase()) {
      throw new ApiError(emailDiffers);
    }
    if (Date.now() - authTime * 1_000 > RECENT_LOGIN_MS) {
      throw new ApiError(recentLoginRequired);
    }
    await accountDeletions.delete({ userId, firebaseUid });
    try {
      await sessions.end(ctx);
    } catch (error) {
      // The account is deleted even if the session cannot be ended.
      if (!(error instanceof RedisUnavailableError)) throw error;
    }
    return {};
  },
});
