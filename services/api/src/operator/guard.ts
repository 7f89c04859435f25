import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { RECENT_LOGIN_MS } from "@tapthru/proto/rules/limits";
import { findUser } from "../accounts/queries.ts";
import { ApiError } from "../errors.ts";
import { bearerKey } from "../http/bearer-token.ts";
import { countUserRequest, type Guard, type OperatorCaller } from "../http/guards.ts";
import type { RateLimit } from "../http/rate-limits.ts";
import { type AuthenticateKey, requireScope } from "../keys/key-access.ts";
import type { LiveSession } from "../sessions/sessions.ts";

export interface OperatorGuardDependencies {
  db: Db<"maybeOne">;
  /** Counts by the same limit. */
  requiredSession: Guard<LiveSession>;
  authenticateKey: AuthenticateKey;
  limit: RateLimit;
}

/**
 * Requires a session, or an API key with the scope `operator`, of a user who is an operator now. Other users learn nothing of the
 * calls of operators: their reply is that to an unknown path, also with a key that has the scope.
 */
export function operatorGuard(deps: OperatorGuardDependencies): Guard<OperatorCaller> {
  const { db, requiredSession, authenticateKey, limit } = deps;
  return async (ctx) => {
    const key = bearerKey(ctx);
    if (key === null) {
      const { userId, firebaseUid, authTime } = await requiredSession(ctx);
      await requireOperator(db, userId, firebaseUid);
      return { userId, scopes: null, authTime };
    }
    await limit.countAddress(ctx);
    const { userId, firebaseUid, scopes } = await authenticateKey(ctx, key);
    await requireOperator(db, userId, firebaseUid);
    requireScope(scopes, "operator");
    await countUserRequest(limit, ctx, userId);
    return { userId, scopes, authTime: null };
  };
}

/** For what cannot be undone. @throws ApiError unless the caller logged in a short time ago, and uses no key */
export function requireRecentLogin({ authTime }: OperatorCaller): void {
  if (authTime === null) throw new ApiError("key-not-allowed");
  if (Date.now() - authTime * 1_000 > RECENT_LOGIN_MS) throw new ApiError("recent-login-required");
}

async function requireOperator(
  db: Db<"maybeOne">,
  userId: number,
  firebaseUid: string,
): Promise<void> {
  const user = await findUser(db, firebaseUid);
  if (user?.id !== userId || user.state !== "enabled" || !user.isOperator) {
    throw new ApiError("not-found");
  }
}
