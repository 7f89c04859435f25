import type { Registry } from "prom-client";
import { DurationHistogram, type DurationSeries, registerDurations } from "./durations.ts";

/** @returns the series of requests with this method and status */
type SeriesOfRoute = (method: string, status: number) => DurationSeries;

export interface RequestDurations {
  /**
   * @param route its template, never a path: the number of paths is unbounded
   * @param methods whose error series start at 0: Prometheus sees no increase in a series that starts with its first
   * error
   */
  ofRoute(route: string, methods?: readonly string[]): SeriesOfRoute;
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export function createRequestDurations(
  registry: Registry,
  { errors, ...metric }: { name: string; help: string; errors: readonly number[] },
): RequestDurations {
  const durations = new DurationHistogram();
  registerDurations(registry, metric, [durations]);
  const known = new Map<string, SeriesOfRoute>();

  function createSeriesOf(route: string, expected: readonly string[]): SeriesOfRoute {
    const byMethod = new Map<string, DurationSeries[]>();
    function add(named: string, status: number): DurationSeries {
      const method = METHODS.has(named) ? named : "other";
      const byStatus = byMethod.get(method) ?? [];
      byMethod.set(method, byStatus);
      byStatus[status] ??= durations.add({ route, method, status: String(status) });
      return byStatus[status];
    }
    for (const method of expected) for (const status of errors) add(method, status);
    return (method, status) => byMethod.get(method)?.[status] ?? add(method, status);
  }

  return {
    ofRoute(route, methods = []) {
      const series = known.get(route) ?? createSeriesOf(route, methods);
      known.set(route, series);
      return series;
    },
  };
}
