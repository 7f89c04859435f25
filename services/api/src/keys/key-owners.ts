import { TOKEN_RECHECK_INTERVAL_MS } from "@tapthru/proto/rules/limits";
import type { Logger } from "@tapthru/runtime/logger";
import { bestEffort } from "@tapthru/runtime/redis/errors";
import type { RequestRedis } from "@tapthru/runtime/redis/redis";
import type { IdentityProvider } from "../accounts/identity.ts";

export interface KeyOwner {
  userId: number;
  firebaseUid: string;
}

interface KeyOwnersDependencies {
  redis: Pick<RequestRedis, "run">;
  identity: Pick<IdentityProvider, "checkLogin">;
  logger: Logger;
}

export interface KeyOwners {
  /**
   * Whether the account is disabled or was deleted at the identity provider, which is requested every 15 minutes. While the
   * provider or Redis is unavailable accounts count as usable, as for sessions. Never rejects.
   */
  isEnded(owner: KeyOwner): Promise<boolean>;
}

const statusKey = (userId: number) => `key-owner:${userId}`;

export function createKeyOwners({ redis, identity, logger }: KeyOwnersDependencies): KeyOwners {
  async function check({ userId, firebaseUid: uid }: KeyOwner): Promise<boolean> {
    const key = statusKey(userId);
    const known = await redis.run((client) => client.get(key));
    if (known !== null) return known === "ended";
    const claimed = await redis.run((client) =>
      client.set(key, "usable", "PX", TOKEN_RECHECK_INTERVAL_MS, "NX"),
    );
    if (claimed === null) return false;
    // A key does not depend on a login: only the state of the account counts.
    const status = await identity.checkLogin({ uid, authTime: Number.POSITIVE_INFINITY });
    if (status === "unavailable") await redis.run((client) => client.del(key));
    if (status !== "ended") return false;
    await redis.run((client) => client.set(key, "ended", "PX", TOKEN_RECHECK_INTERVAL_MS));
    return true;
  }

  return {
    async isEnded(owner) {
      try {
        return (await bestEffort(check(owner))) ?? false;
      } catch (err) {
        logger.error(
          { event: "session_check_failed", err },
          "failed to check the account of a key",
        );
        return false;
      }
    },
  };
}
