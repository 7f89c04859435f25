import { setTimeout as delay } from "node:timers/promises";

/**
 * Rejects with the result of `late` unless `work` settles within `ms`; `work` itself continues. Data that arrived while
 * the process was busy counts as in time: the sockets are read once more before the rejection.
 */
export async function withDeadline<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => setImmediate(() => deadline.reject(late())), ms);
  try {
    return await Promise.race([work, deadline.promise]);
  } finally {
    clearTimeout(timer);
  }
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // It rejects only if it is aborted.
  await delay(Math.max(0, ms), undefined, { signal }).catch(() => {});
}
