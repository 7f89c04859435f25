import { RedisUnavailableError } from "./errors.ts";

/**
 * For optional work: returns null while Redis is unavailable, which the Redis client logs. Rejects with other errors.
 */
export async function bestEffort<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RedisUnavailableError) return null;
    throw error;
  }
}
