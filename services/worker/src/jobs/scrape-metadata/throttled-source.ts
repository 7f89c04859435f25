import PQueue from "p-queue";
import type { MetadataSource, Outcome, PageRef, ReadResult } from "./source.ts";

const REFUSALS_IN_A_ROW = 5;
const FIRST_BACKOFF_MS = 60_000;
const MAX_BACKOFF_MS = 60 * 60_000;

const REFUSALS: ReadonlySet<Outcome> = new Set(["captcha", "error-page", "refused"]);

export interface HostBackoff {
  refusals: number;
  /** Milliseconds since the epoch. */
  until: number;
}

export const INITIAL_BACKOFF: HostBackoff = { refusals: 0, until: 0 };

/** Milliseconds until the next request to the host is allowed. */
export function backoffRemainingMs({ until }: HostBackoff, now: number): number {
  return Math.max(0, until - now);
}

/**
 * After some refusals in a row a host gets no request for a minute, twice as long after each further one, up to an hour.
 * Responses to requests from before the backoff do not extend it.
 */
export function nextBackoff(backoff: HostBackoff, result: ReadResult, now: number): HostBackoff {
  if (result.kind === "read") return INITIAL_BACKOFF;
  if (!REFUSALS.has(result.outcome) || backoffRemainingMs(backoff, now) > 0) return backoff;
  const refusals = backoff.refusals + 1;
  if (refusals < REFUSALS_IN_A_ROW) return { ...backoff, refusals };
  const backoffMs = FIRST_BACKOFF_MS * 2 ** Math.min(refusals - REFUSALS_IN_A_ROW, 10);
  return { refusals, until: now + Math.min(backoffMs, MAX_BACKOFF_MS) };
}

interface ThrottleOptions {
  concurrency: number;
  /** The key of the backoff, such as the host. The number of different keys must be small. */
  hostOf(page: PageRef): string;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

export function createThrottledSource(
  source: MetadataSource,
  { concurrency, hostOf, now = Date.now }: ThrottleOptions,
): MetadataSource {
  const queue = new PQueue({ concurrency });
  const backoffs = new Map<string, HostBackoff>();
  const backoffOf = (host: string) => backoffs.get(host) ?? INITIAL_BACKOFF;
  return {
    ...source,
    read: (page, signal) =>
      queue.add(async () => {
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
