import { hash } from "node:crypto";
import type { Logger } from "@tapthru/core/platform/logger";
import { parseJson } from "@tapthru/core/platform/parse-json";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import * as z from "zod/mini";
import type { IdentityProvider } from "../callers/identity.ts";
import type { SessionData } from "../callers/session-store.ts";

export const TOKEN_RECHECK_INTERVAL_MS = 15 * 60_000;

/** Times are Unix milliseconds. */
const AccountState = z.object({
  checkedAt: z.int(),
  isUsable: z.boolean(),
  loginsValidFrom: z.int(),
});
type AccountState = z.infer<typeof AccountState>;

/** Hashed, so that keys of Redis contain no personal data. */
export function accountKey(uid: string): string {
  return `account:${hash("sha256", uid, "base64url").slice(0, 22)}`;
}

/**
 * Asks the identity provider about accounts: once in 15 minutes for each account in use, by one replica for
 * all. While the provider or Redis is unavailable accounts count as usable. The methods never reject.
 */
export type AccountChecks = ReturnType<typeof createAccountChecks>;

export function createAccountChecks({
  redis,
  identity,
  logger,
}: {
  redis: Pick<RequestRedis, "run">;
  identity: Pick<IdentityProvider, "findUsable">;
  logger: Logger;
}) {
  /** @returns null if it is unknown */
  async function check(uid: string): Promise<AccountState | null> {
    const key = accountKey(uid);
    // Empty while one replica asks.
    const known = await redis.run((client) => client.get(key));
    if (known !== null) return AccountState.safeParse(parseJson(known)).data ?? null;
    const claimed = await redis.run((client) => client.set(key, "", "PX", TOKEN_RECHECK_INTERVAL_MS, "NX"));
    if (claimed === null) return null;
    // A session that begins while the provider responds is newer than what it responds.
    const checkedAt = Date.now();
    const usable = await identity.findUsable([uid]);
    if (usable === "unavailable") {
      await redis.run((client) => client.del(key));
      return null;
    }
    const state: AccountState = {
      checkedAt,
      isUsable: usable.has(uid),
      loginsValidFrom: usable.get(uid) ?? 0,
    };
    // This request obeys the answer also where Redis does not take it.
    await bestEffort(
      redis.run((client) => client.set(key, JSON.stringify(state), "PX", TOKEN_RECHECK_INTERVAL_MS)),
    ).catch(logFailure);
    return state;
  }

  function logFailure(err: unknown): null {
    logger.error({ event: "account_check_failed", err }, "failed to check an account");
    return null;
  }

  const tryCheck = (uid: string) => bestEffort(check(uid)).catch(logFailure);

  return {
    async isDisabled(uid: string): Promise<boolean> {
      return (await tryCheck(uid))?.isUsable === false;
    },

    async hasLoginEnded({
      firebaseUid,
      authTime,
      createdAt,
    }: Pick<SessionData, "firebaseUid" | "authTime" | "createdAt">): Promise<boolean> {
      const state = await tryCheck(firebaseUid);
      if (state === null) return false;
      // A session begins with a login that is not revoked, which may be older than the session.
      if (state.isUsable) return Math.max(authTime * 1_000, createdAt) < state.loginsValidFrom;
      // A session that began after the check means that the account was enabled again.
      return createdAt < state.checkedAt;
    },
  };
}
