import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Postgres } from "@tapthru/core/platform/postgres/postgres";
import { MAX_REQUESTS_IN_PROGRESS } from "@tapthru/proto/rules/limits";

/** More than the connections to Postgres, so that all are used. */
export const MIN_REQUESTS_IN_PROGRESS = 16;

const INTERVAL_MS = 100;
/**
 * If all work of an interval waited longer for a connection, requests arrive faster than they are served (CoDel, RFC
 * 8289).
 */
const OVERLOADED_WAIT_MS = 50;

export interface RequestLimit extends Component {
  /** Number of requests that may be in progress. */
  readonly current: number;
}

/**
 * Lowers the limit of requests in progress while requests wait for connections to Postgres, and raises it again
 * afterwards.
 */
export function createRequestLimit(postgres: Pick<Postgres, "takeShortestWait">): RequestLimit {
  let current = MAX_REQUESTS_IN_PROGRESS;
  let timer: NodeJS.Timeout | undefined;
  return {
    name: "limit of requests",
    get current() {
      return current;
    },
    async start() {
      timer = setInterval(() => {
        current = nextLimit(current, postgres.takeShortestWait());
      }, INTERVAL_MS);
    },
    async stop() {
      clearInterval(timer);
    },
  };
}

/**
 * Falls by a fifth and rises by one, as the congestion window of TCP does (additive increase, multiplicative decrease).
 * @param shortestWaitMs null if nothing is known, because all work still waits
 */
export function nextLimit(current: number, shortestWaitMs: number | null): number {
  if (shortestWaitMs === null) return current;
  return shortestWaitMs > OVERLOADED_WAIT_MS
    ? Math.max(Math.floor(current * 0.8), MIN_REQUESTS_IN_PROGRESS)
    : Math.min(current + 1, MAX_REQUESTS_IN_PROGRESS);
}
