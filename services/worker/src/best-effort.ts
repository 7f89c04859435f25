import { RedisUnavailableError } from "@tapthru/runtime/redis/redis";

/** Ignores that Redis is unavailable, for work that is found in Postgres and done later. */
export async function bestEffort(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof RedisUnavailableError)) throw error;
  }
}
