import type { Registry } from "prom-client";
import { Durations, registerDurations } from "../metrics/durations.ts";
import { createRequestDurations } from "../request-durations.ts";
import { tracing } from "../tracing/tracing.ts";

/**
 * @param since when the request began to be handled, by performance.now()
 * @returns the seconds since then
 */
type ObserveRequest = (method: string, status: number, since: number) => number;

export interface HttpMetrics {
  /** As in RequestDurations. */
  ofRoute(route: string, methods?: readonly string[]): ObserveRequest;
  /** To be called as soon as the headers are read. @param sentAt the value of REQUEST_START_HEADER */
  observeWait(sentAt: string | string[] | undefined): void;
}

/** The route of what no route takes. */
export const UNMATCHED_ROUTE = "none";

/** When the gateway began to send the request: Unix seconds with milliseconds. */
export const REQUEST_START_HEADER = "x-request-start";

/** Rate, errors and duration of requests, by route, method and status; and how long they wait before. */
export function createHttpMetrics(registry: Registry): HttpMetrics {
  const durations = createRequestDurations(registry, {
    name: "tapthru_http_request_duration_seconds",
    help: "From when a request began to be handled until its response was handed to the system, by route, method and status",
    errors: [500, 503],
  });
  const waits = new Durations();
  registerDurations(
    registry,
    {
      name: "tapthru_http_wait_seconds",
      help: "From when the gateway began to send a request until it began to be handled",
    },
    [waits],
  );
  const wait = waits.add({});
  const observers = new Map<string, ObserveRequest>();

  return {
    ofRoute(route, methods) {
      const known = observers.get(route);
      if (known !== undefined) return known;
      const seriesOf = durations.ofRoute(route, methods);
      const observer: ObserveRequest = (method, status, since) => {
        // Here alone the route of every request is known.
        tracing?.nameRequest(method, route);
        return seriesOf(method, status).observeSince(since);
      };
      observers.set(route, observer);
      return observer;
    },
    observeWait(sentAt) {
      if (sentAt === undefined) return;
      const seconds = Date.now() / 1_000 - Number(sentAt);
      // Clocks of two machines may differ by more than a request waits.
      if (!Number.isNaN(seconds)) wait.observe(Math.max(0, seconds));
    },
  };
}
