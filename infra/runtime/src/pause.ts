import { setTimeout as delay } from "node:timers/promises";

/** Resolves after `ms`, or as soon as the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // It rejects only if it is aborted.
  await delay(Math.max(0, ms), undefined, { signal }).catch(() => {});
}
