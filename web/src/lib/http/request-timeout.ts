export const REQUEST_TIMEOUT_MS = 15_000;

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
