import { setTimeout as delay } from "node:timers/promises";

/** Takes samples periodically while `work` runs, and one sample afterwards. Fails as soon as a sample fails. */
export async function sampleWhile<S, T>(
  takeSample: () => Promise<S>,
  work: () => Promise<T>,
  intervalMs = 100,
): Promise<[samples: S[], result: T]> {
  const stop = new AbortController();
  const samples: S[] = [];
  async function sample(): Promise<void> {
    for (;;) {
      const isLast = stop.signal.aborted;
      samples.push(await takeSample());
      if (isLast) return;
      await delay(intervalMs, undefined, { signal: stop.signal }).catch(() => {});
    }
  }
  const [result] = await Promise.all([work().finally(() => stop.abort()), sample()]);
  return [samples, result];
}
