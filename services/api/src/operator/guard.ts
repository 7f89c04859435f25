import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { notFound, recentLoginRequired } from "@tapthru/proto/general-errors";
import { keyNotAllowed } from "@tapthru/proto/keys";
import { RECENT_LOGIN_MS } from "@tapthru/proto/rules/limits";
import type { Api } from "../api.ts";
import { countUserRequest, type Guard, type OperatorCaller } from "../callers/guards.ts";
import { requireScope } from "../callers/key-access.ts";
import { findUser } from "../callers/users.ts";
import { bearerKey } from "../http/bearer-token.ts";
import { ApiError } from "../http/errors.ts";

/**
 * Requires a session, or an API key with the scope `operator`, of a user who is an operator now. Other users learn nothing of the
 * calls of operators: their reply is that to an unknown path, also with a key that has the scope.
 */
export function operatorGuard({
  db,
  requiredSession,
  authenticateKey,
  rateLimits,
}: Pick<Api, "db" | "requiredSession" | "authenticateKey" | "rateLimits">): Guard<OperatorCaller> {
  const limit = rateLimits("otherApi");
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

/** Guards actions that cannot be undone. @throws ApiError unless the caller logged in a short time ago, and uses no key */
export function requireRecentLogin({ authTime }: OperatorCaller): void {
  if (authTime === null) throw new ApiError(keyNotAllowed);
  if (Date.now() - authTime * 1_000 > RECENT_LOGIN_MS) throw new ApiError(recentLoginRequired);
}

async function requireOperator(db: Db<"maybeOne">, userId: number, firebaseUid: string) {
  const user = await findUser(db, firebaseUid);
  if (user?.id !== userId || user.state !== "enabled" || !user.isOperator) {
    throw new ApiError(notFound);
  }
}
