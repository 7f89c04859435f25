import { isRetryable } from "./http/http-client.ts";

/** @param signal ends the wait early */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => resolve());
  });
}

/**
 * Waits for work, but at most this time.
 * @returns whether it has succeeded. Throws if it has failed. A later failure is ignored
 */
export async function finishesWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** Scripts that an interaction needs are loaded this long after the start: after the first paint, also on a slow phone. */
export const PRELOAD_AFTER_MS = 3_000;

const RETRY_DELAY_MS = 1_000;

/** Retries a call once after a delay, if its error is retryable. */
export async function retryOnce<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Error) || !isRetryable(error)) throw error;
    await wait(RETRY_DELAY_MS);
    return call();
  }
}
