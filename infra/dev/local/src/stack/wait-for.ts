import { setTimeout as delay } from "node:timers/promises";

/**
 * Asks again and again until the answer is true.
 * @param within milliseconds
 * @returns false when the time ran out first
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
