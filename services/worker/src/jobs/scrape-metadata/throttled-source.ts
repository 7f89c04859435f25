import pLimit from "p-limit";
import { backoffRemainingMs, type HostBackoff, INITIAL_BACKOFF, nextBackoff } from "./host-backoff.ts";
import type { MetadataSource, PageRef } from "./source.ts";

interface ThrottleOptions {
  /** Maximum number of concurrent reads. */
  concurrency: number;
  /** The key of the backoff, such as the host. The number of different keys must be small. */
  hostOf(page: PageRef): string;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** Limits concurrent reads of a source, and pauses hosts that refuse repeatedly. */
export function createThrottledSource(
  source: MetadataSource,
  { concurrency, hostOf, now = Date.now }: ThrottleOptions,
): MetadataSource {
  const limit = pLimit(concurrency);
  const backoffs = new Map<string, HostBackoff>();
  const backoffOf = (host: string) => backoffs.get(host) ?? INITIAL_BACKOFF;
  return {
    ...source,
    read: (page, signal) =>
      limit(async () => {
        signal.throwIfAborted();
        const host = hostOf(page);
        const retryInMs = backoffRemainingMs(backoffOf(host), now());
        if (retryInMs > 0) return { kind: "postponed", retryInMs };
        const result = await source.read(page, signal);
        if (result.kind !== "postponed") {
          backoffs.set(host, nextBackoff(backoffOf(host), result, now()));
        }
        return result;
      }),
  };
}
