/** A unit of Grafana. */
type Unit = "reqps" | "ops" | "s" | "percentunit" | "short" | "bytes" | "none";

interface Query {
  /** PromQL with Grafana's variable `$__rate_interval`. */
  expr: string;
  /** The name of a series as a template with its labels: `{{route}}`. */
  legend: string;
}

export interface Panel {
  title: string;
  unit: Unit;
  /** Explains how to read the panel. */
  note?: string;
  /** A setting or a part of the installation without which the panel is empty. */
  onlyWith?: string;
  queries: readonly Query[];
}

/** The panels that show data without optional settings and parts. */
export function panelsOfEveryInstallation(panels: readonly Panel[]): readonly Panel[] {
  return panels.filter(({ onlyWith }) => onlyWith === undefined);
}

export interface Dashboard {
  /** The name of the dashboard's file. It stays the same if the title changes. */
  uid: string;
  title: string;
  panels: readonly Panel[];
}

const DURATION = "tapthru_http_request_duration_seconds";

/** A quantile of the durations of requests that match `selector`, grouped by the labels in `by`. */
export function quantile(q: number, by: string, selector = "", histogram = DURATION): string {
  const buckets = `sum by (${by}, le) (rate(${histogram}_bucket{${selector}}[$__rate_interval]))`;
  return `histogram_quantile(${q}, ${buckets})`;
}

/** The increase of a counter per second. */
export function counterRate(by: string, counter: string): string {
  return `sum by (${by}) (rate(${counter}[$__rate_interval]))`;
}

export function requestRate(by: string, selector = ""): string {
  return counterRate(by, `${DURATION}_count{${selector}}`);
}

/** The share of 5xx responses; 0 without errors. */
export function errorRatio(by: string): string {
  return ratio(requestRate(by, 'status=~"5.."'), requestRate(by));
}

/** `part / all`; 0 if `part` has no series yet. */
export function ratio(part: string, all: string): string {
  return `(${part} or 0 * ${all}) / ${all}`;
}
