import type { Registry } from "prom-client";
import { DurationHistogram, registerDurations } from "../metrics/durations.ts";
import { createRequestDurations } from "../metrics/request-durations.ts";

/** @param since start of handling, by performance.now() @returns the seconds since then */
type ObserveRequest = (method: string, status: number, since: number) => number;

export interface HttpMetrics {
  ofRoute(route: string, methods?: readonly string[]): ObserveRequest;
  /** Call it when the headers are read. @param sentAt the value of REQUEST_START_HEADER */
  observeWait(sentAt: string | string[] | undefined): void;
}

export const UNMATCHED_ROUTE = "none";

/** When the gateway started to send the request: Unix seconds with milliseconds. */
export const REQUEST_START_HEADER = "x-request-start";

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const durations = createRequestDurations(registry, {
    name: "tapthru_http_request_duration_seconds",
    help: "Time from the start of handling a request until its response was passed to the operating system, by route, method and status",
    errors: [500, 503],
  });
  const waits = new DurationHistogram();
  registerDurations(
    registry,
    {
      name: "tapthru_http_wait_seconds",
      help: "Time from when the gateway started to send a request until its handling started",
    },
    [waits],
  );
  const wait = waits.add({});

  return {
    ofRoute(route, methods) {
      const seriesOf = durations.ofRoute(route, methods);
      return (method, status, since) => seriesOf(method, status).observeSince(since);
    },
    observeWait(sentAt) {
      if (sentAt === undefined) return;
      const seconds = Date.now() / 1_000 - Number(sentAt);
      // The clocks of two machines may differ by more than the waiting time.
      if (!Number.isNaN(seconds)) wait.observe(Math.max(0, seconds));
    },
  };
}
