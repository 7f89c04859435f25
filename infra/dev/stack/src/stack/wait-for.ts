import { setTimeout as delay } from "node:timers/promises";

/**
 * Polls until the condition is true.
 * @param within milliseconds
 * @returns false after a timeout
 */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  { within, every = 50, signal }: { within: number; every?: number; signal?: AbortSignal },
): Promise<boolean> {
  const end = Date.now() + within;
  while (!(await condition())) {
    if (Date.now() >= end) return false;
    await delay(every, undefined, signal ? { signal } : {});
  }
  return true;
}
