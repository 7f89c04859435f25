import { hash, randomBytes } from "node:crypto";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import * as z from "zod/mini";

/** How long a login at Amazon may take after it was started here. */
const AMAZON_ADS_STATE_LIFETIME_MS = 10 * 60_000;

const PendingLogin = z.object({
  sessionId: z.string(),
  /** PKCE code verifier. */
  codeVerifier: z.string(),
});
type PendingLogin = z.infer<typeof PendingLogin>;

/** Pending logins, kept in Redis for ten minutes. Both methods throw RedisUnavailableError. */
export function createPendingLogins(redis: Pick<RequestRedis, "run">) {
  return {
    /** @returns the OAuth state, which the callback returns */
    async add(login: PendingLogin, budget?: RedisBudget): Promise<string> {
      const state = randomBytes(32).toString("base64url");
      const text = JSON.stringify(login);
      await redis.run((client) => client.set(keyOf(state), text, "PX", AMAZON_ADS_STATE_LIFETIME_MS), budget);
      return state;
    },
    async take(state: string, budget?: RedisBudget): Promise<PendingLogin | null> {
      const text = await redis.run((client) => client.getdel(keyOf(state)), budget);
      return text === null ? null : z.parse(PendingLogin, JSON.parse(text));
    },
  };
}

/** Hashed, so that read access to Redis does not allow finishing a login. */
function keyOf(state: string): string {
  return `amazon-ads-login:${hash("sha256", state, "base64url")}`;
}
