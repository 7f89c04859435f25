import { setTimeout as delay } from "node:timers/promises";

/** Looks at something again and again for as long as something else takes, and once afterwards. */
export async function sampleWhile<S, T>(
  look: () => Promise<S>,
  work: () => Promise<T>,
  everyMs = 100,
): Promise<[samples: S[], result: T]> {
  const over = new AbortController();
  const samples: S[] = [];
  async function sample(): Promise<void> {
    for (;;) {
      const isLast = over.signal.aborted;
      samples.push(await look());
      if (isLast) return;
      await delay(everyMs, undefined, { signal: over.signal }).catch(() => {});
    }
  }
  const sampling = sample();
  try {
    const result = await work();
    over.abort();
    await sampling;
    return [samples, result];
  } finally {
    over.abort();
  }
}
