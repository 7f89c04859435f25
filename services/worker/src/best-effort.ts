import { RedisUnavailableError } from "@tapthru/runtime/redis/redis";

/** Ignores an unavailable Redis, for work that a sweep later finds in Postgres. */
export async function bestEffort(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof RedisUnavailableError)) throw error;
  }
}
