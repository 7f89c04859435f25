import { RedisUnavailableError } from "./errors.ts";

/**
 * For work that is optional while Redis is unavailable, which its client logs: returns null then. Rejects with other
 * errors.
 */
export async function bestEffort<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RedisUnavailableError) return null;
    throw error;
  }
}
