import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { ApiKeyScope } from "@tapthru/proto/rules/api-key";
import type { Context } from "koa";
import type { AccountChecks } from "../accounts/account-checks.ts";
import { ApiError } from "../errors.ts";
import type { RateLimit } from "../http/rate-limits.ts";
import { isKey, keyHash } from "./key-text.ts";
import type { KeyUses } from "./key-uses.ts";
import { findUsableKey, type UsableKey } from "./queries.ts";

/**
 * Returns the key's user and scopes. Each call reads Postgres, so that a revoked key is refused at once by all replicas.
 * @throws ApiError (bad-key) in the same way for an unknown, expired or revoked key, and for a disabled account
 */
export type AuthenticateKey = (ctx: Context, key: string) => Promise<UsableKey>;

export interface KeyAccessDependencies {
  db: Db<"maybeOne">;
  keyUses: Pick<KeyUses, "record">;
  accountChecks: Pick<AccountChecks, "isDisabled">;
  /** Counts invalid keys by address, and requests by key. */
  apiKeyLimit: RateLimit;
}

export function createKeyAuthentication(deps: KeyAccessDependencies): AuthenticateKey {
  const { db, keyUses, accountChecks, apiKeyLimit } = deps;
  return async (ctx, text) => {
    const key = isKey(text) ? await findUsableKey(db, keyHash(text)) : null;
    if (key === null) {
      // Only failures count by address: an expired key in one script must not block the valid key of another.
      await apiKeyLimit.countAddress(ctx);
      throw new ApiError("bad-key");
    }
    await apiKeyLimit.countVisitor(ctx, `key:${key.keyId}`);
    const { firebaseUid } = key;
    const isDisabled = await ctx.state.whileWaiting(() => accountChecks.isDisabled(firebaseUid));
    if (isDisabled) throw new ApiError("bad-key");
    keyUses.record(key.keyId);
    ctx.state.keyName = key.name;
    return key;
  };
}

const MISSING_SCOPE = {
  "links:read": "missing-scope-links-read",
  "links:write": "missing-scope-links-write",
  "clicks:read": "missing-scope-clicks-read",
  "earnings:read": "missing-scope-earnings-read",
  "earnings:write": "missing-scope-earnings-write",
  operator: "missing-scope-operator",
} as const;

/** @param scopes null for a session, which may do everything */
export function requireScope(scopes: readonly ApiKeyScope[] | null, scope: ApiKeyScope): void {
  if (scopes !== null && !scopes.includes(scope)) throw new ApiError(MISSING_SCOPE[scope]);
}
