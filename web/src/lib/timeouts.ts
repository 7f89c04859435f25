export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
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

/** Aborts after this time, or earlier with another signal. Safari 16.4 has no AbortSignal.any. */
export function abortAfter(ms: number, signal?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(ms);
  if (!signal) return timeout;
  const controller = new AbortController();
  for (const source of [signal, timeout]) {
    const abort = () => controller.abort(source.reason);
    if (source.aborted) abort();
    else source.addEventListener("abort", abort, { once: true });
  }
  return controller.signal;
}

export const REQUEST_TIMEOUT_MS = 15_000;
