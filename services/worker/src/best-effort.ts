import { RedisUnavailableError } from "@tapthru/runtime/redis/redis";

/** For work in Redis that is found again in Postgres and done later. */
export async function bestEffort(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof RedisUnavailableError)) throw error;
  }
}
