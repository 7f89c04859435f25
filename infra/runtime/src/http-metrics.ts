import type { Registry } from "prom-client";
import { type DurationSeries, Durations, exposeDurations } from "./durations.ts";
import { tracing } from "./tracing.ts";

/** @param since when the request was begun, by performance.now() */
type ObserveRequest = (method: string, status: number, since: number) => void;

export interface HttpMetrics {
  /** @param route its template, never a path; those are as many as visitors like */
  ofRoute(route: string): ObserveRequest;
}

/** The route of what no route takes. */
export const NO_ROUTE = "none";

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
      help: "From a request's arrival until its answer was handed over, by route, method and status",
    },
    [durations],
  );
  const observers = new Map<string, ObserveRequest>();

  function createObserver(route: string): ObserveRequest {
    const byMethod = new Map<string, DurationSeries[]>();
    function seriesOf(named: string, status: number): DurationSeries {
      const method = METHODS.has(named) ? named : "other";
      const byStatus = byMethod.get(method) ?? [];
      byMethod.set(method, byStatus);
      byStatus[status] ??= durations.add({ route, method, status: String(status) });
      return byStatus[status];
    }
    return (method, status, since) => {
      const series = byMethod.get(method)?.[status] ?? seriesOf(method, status);
      series.observe((performance.now() - since) / 1_000);
      // Here alone the route of every request is known.
      tracing?.nameRequest(method, route);
    };
  }

  return {
    ofRoute(route) {
      const observer = observers.get(route) ?? createObserver(route);
      observers.set(route, observer);
      return observer;
    },
  };
}
