import { randomBytes } from "node:crypto";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";

const DAY_MS = 86_400_000;
/** Redis keeps the salt until the day is over everywhere on clocks that differ by less than this. */
const GRACE_MS = 60_000;

/**
 * A random salt for each day in UTC, shared by all replicas through Redis and deleted after the day. Without it a hash
 * cannot be traced to a visitor, and the hashes of two days cannot be linked. While Redis is unavailable a replica uses
 * a salt of its own, so a visitor may count once for each replica.
 */
export class DailySalt {
  readonly #redis: Pick<RequestRedis, "run">;
  #day = -1;
  #salt = "";

  constructor(redis: Pick<RequestRedis, "run">) {
    this.#redis = redis;
  }

  /** @param now Unix milliseconds */
  at(now: number): string {
    const day = Math.floor(now / DAY_MS);
    if (day !== this.#day) [this.#day, this.#salt] = [day, randomBytes(16).toString("base64")];
    return this.#salt;
  }

  /** Takes over the salt of the other replicas, or publishes its own. */
  async share(now: number): Promise<void> {
    const salt = this.at(now);
    const day = this.#day;
    const expiresAt = (day + 1) * DAY_MS + GRACE_MS;
    const shared = await bestEffort(
      this.#redis.run((redis) => redis.set(`{clicks}:salt:${day}`, salt, "PXAT", expiresAt, "NX", "GET")),
    );
    if (shared !== null && day === this.#day) this.#salt = shared;
  }
}
