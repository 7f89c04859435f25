import type { Registry } from "prom-client";
import { type DurationSeries, Durations, exposeDurations } from "./durations.ts";
import { tracing } from "./tracing.ts";

/**
 * @param since when the request began to be handled, by performance.now()
 * @returns the seconds since then
 */
type ObserveRequest = (method: string, status: number, since: number) => number;

export interface HttpMetrics {
  /**
   * @param route its template, never a path; those are as many as visitors like
   * @param methods whose errors are shown as 0 from the start: Prometheus sees no increase in a series that begins
   * with its first error
   */
  ofRoute(route: string, methods?: readonly string[]): ObserveRequest;
}

/** The route of what no route takes. */
export const NO_ROUTE = "none";

const ERRORS = [500, 503];

const METHODS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);

/** Rate, errors and duration of requests, by route, method and status. */
export function createHttpMetrics(registry: Registry): HttpMetrics {
  const durations = new Durations();
  exposeDurations(
    registry,
    {
      name: "tapthru_http_request_duration_seconds",
      help: "From when a request began to be handled until its answer was handed over, by route, method and status",
    },
    [durations],
  );
  const observers = new Map<string, ObserveRequest>();

  function createObserver(route: string, expected: readonly string[]): ObserveRequest {
    const byMethod = new Map<string, DurationSeries[]>();
    function seriesOf(named: string, status: number): DurationSeries {
      const method = METHODS.has(named) ? named : "other";
      const byStatus = byMethod.get(method) ?? [];
      byMethod.set(method, byStatus);
      byStatus[status] ??= durations.add({ route, method, status: String(status) });
      return byStatus[status];
    }
    for (const method of expected) for (const status of ERRORS) seriesOf(method, status);
    return (method, status, since) => {
      const series = byMethod.get(method)?.[status] ?? seriesOf(method, status);
      // Here alone the route of every request is known.
      tracing?.nameRequest(method, route);
      return series.observeSince(since);
    };
  }

  return {
    ofRoute(route, methods = []) {
      const known = observers.get(route);
      if (known !== undefined) return known;
      const observer = createObserver(route, methods);
      observers.set(route, observer);
      return observer;
    },
  };
}
