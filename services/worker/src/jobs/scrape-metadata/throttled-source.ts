import pLimit from "p-limit";
import {
  backoffRemainingMs,
  type HostBackoff,
  INITIAL_BACKOFF,
  nextBackoff,
} from "./host-backoff.ts";
import type { MetadataSource, PageRef } from "./source.ts";

interface Manners {
  /** Maximum number of concurrent reads. */
  atOnce: number;
  /** The key that shares a backoff, such as a host; few different ones. */
  hostOf(page: PageRef): string;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** Limits concurrent reads of a source, and pauses hosts that refuse repeatedly. */
export function createThrottledSource(
  source: MetadataSource,
  { atOnce, hostOf, now = Date.now }: Manners,
): MetadataSource {
  const limit = pLimit(atOnce);
  const backoffs = new Map<string, HostBackoff>();
  const backoffOf = (host: string) => backoffs.get(host) ?? INITIAL_BACKOFF;
  return {
    freshForMs: source.freshForMs,
    keepForMs: source.keepForMs,
    read: (page, signal) =>
      limit(async () => {
        signal.throwIfAborted();
        const host = hostOf(page);
        const retryInMs = backoffRemainingMs(backoffOf(host), now());
        if (retryInMs > 0) return { kind: "postponed", retryInMs };
        const reading = await source.read(page, signal);
        if (reading.kind !== "postponed") {
          backoffs.set(host, nextBackoff(backoffOf(host), reading, now()));
        }
        return reading;
      }),
  };
}
