import { createHash, randomBytes } from "node:crypto";
import { ADS_REGIONS } from "@tapthru/proto/rules/ads-regions";
import { AMAZON_ADS_STATE_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import type { RequestRedis } from "@tapthru/runtime/redis/redis";
import * as z from "zod/mini";

/** A login at Amazon that a session began here. */
const PendingLogin = z.object({
  sessionId: z.string(),
  region: z.enum(ADS_REGIONS),
  /** Of PKCE. */
  codeVerifier: z.string(),
});
type PendingLogin = z.infer<typeof PendingLogin>;

/** Logins under way, in Redis for ten minutes. Both throw RedisUnavailableError. */
export interface PendingLogins {
  /** @returns the state by which Amazon's answer is told to be this login's */
  add(login: PendingLogin, budget?: RedisBudget): Promise<string>;
  /** The login of a state, once. */
  take(state: string, budget?: RedisBudget): Promise<PendingLogin | null>;
}

export function createPendingLogins(redis: Pick<RequestRedis, "run">): PendingLogins {
  return {
    async add(login, budget) {
      const state = randomBytes(32).toString("base64url");
      const text = JSON.stringify(login);
      await redis.run(
        (client) => client.set(keyOf(state), text, "PX", AMAZON_ADS_STATE_LIFETIME_MS),
        budget,
      );
      return state;
    },
    async take(state, budget) {
      const text = await redis.run((client) => client.getdel(keyOf(state)), budget);
      return text === null ? null : z.parse(PendingLogin, JSON.parse(text));
    },
  };
}

/** Hashed: who reads Redis can finish nobody's login. */
function keyOf(state: string): string {
  return `amazon-ads-login:${createHash("sha256").update(state).digest("base64url")}`;
}
