/** Of Grafana. */
type Unit = "reqps" | "ops" | "s" | "percentunit" | "short" | "bytes" | "none";

interface Query {
  /** PromQL; `$__rate_interval` is Grafana's own. */
  expr: string;
  /** Names a series, by its labels: `{{route}}`. */
  legend: string;
}

export interface Panel {
  title: string;
  unit: Unit;
  /** What one should know to read it. */
  note?: string;
  queries: readonly Query[];
}

export interface Dashboard {
  /** Names its file, and stays when the title changes. */
  uid: string;
  title: string;
  panels: readonly Panel[];
}

const DURATION = "tapthru_http_request_duration_seconds";

/** Of requests that `selector` picks: a quantile of their durations, over the labels of `by`. */
export function quantile(q: number, by: string, selector = "", histogram = DURATION): string {
  const buckets = `sum by (${by}, le) (rate(${histogram}_bucket{${selector}}[$__rate_interval]))`;
  return `histogram_quantile(${q}, ${buckets})`;
}

export function requestRate(by: string, selector = ""): string {
  return `sum by (${by}) (rate(${DURATION}_count{${selector}}[$__rate_interval]))`;
}

/** Answered with a 5xx; 0 where all went well. */
export function errorShare(by: string): string {
  return share(requestRate(by, 'status=~"5.."'), requestRate(by));
}

/** 0 where a part was never counted. */
export function share(part: string, all: string): string {
  return `(${part} or 0 * ${all}) / ${all}`;
}

/** The increase of a counter a second. */
export function counterRate(by: string, counter: string): string {
  return `sum by (${by}) (rate(${counter}[$__rate_interval]))`;
}
