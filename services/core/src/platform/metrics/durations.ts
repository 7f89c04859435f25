import type { Metric, Registry } from "prom-client";

/** Upper bounds in seconds, the same for all histograms. 0.05 is the redirect's objective. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Labels = Readonly<Record<string, string>>;

export class DurationSeries {
  readonly labels: Labels;
  /** Counts by bound, not cumulative; the last one is above all bounds. */
  readonly counts = new Float64Array(BOUNDS.length + 1);
  sum = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  observe(seconds: number): void {
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket++;
    (this.counts[bucket] as number)++;
    this.sum += seconds;
  }

  /** @param since start time, from performance.now() @returns the seconds since then */
  observeSince(since: number): number {
    const seconds = (performance.now() - since) / 1_000;
    this.observe(seconds);
    return seconds;
  }
}

/**
 * The series of one histogram. prom-client looks a series up by its labels at each observation, which costs as much as a
 * whole look-up of a link in memory; here callers keep the series.
 */
export class DurationHistogram {
  readonly #series: DurationSeries[] = [];

  add(labels: Labels): DurationSeries {
    const series = new DurationSeries(labels);
    this.#series.push(series);
    return series;
  }

  values(name: string) {
    return this.#series.flatMap(({ labels, counts, sum }) => {
      let count = 0;
      const buckets = [...counts].map((inBucket, i) => {
        count += inBucket;
        return {
          metricName: `${name}_bucket`,
          labels: { ...labels, le: i < BOUNDS.length ? String(BOUNDS[i]) : "+Inf" },
          value: count,
        };
      });
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
  }
}

export function registerDurations(
  registry: Registry,
  { name, help }: { name: string; help: string },
  sources: readonly DurationHistogram[],
): void {
  const histogram = {
    name,
    help,
    type: "histogram",
    aggregator: "sum",
    reset() {},
    async get() {
      return { ...histogram, values: sources.flatMap((source) => source.values(name)) };
    },
  };
  // The registry uses only these members of the type.
  registry.registerMetric(histogram as unknown as Metric);
}
