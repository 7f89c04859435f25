import { RedisUnavailableError } from "./errors.ts";

/**
 * Returns null while Redis is unavailable, for work that is optional then. The client of Redis logs the outage.
 * Rejects with other errors.
 */
export async function bestEffort<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RedisUnavailableError) return null;
    throw error;
  }
}
