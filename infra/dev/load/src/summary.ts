interface Metric {
  values: Record<string, number>;
  thresholds?: Record<string, { ok: boolean }>;
}

/** The parts of k6's summary that are used. */
export interface Summary {
  state: { testRunDurationMs: number };
  metrics: Record<string, Metric>;
}

/** Figures of one kind of request. */
interface Line {
  /** The name of the step that sends the request. */
  request: string;
  count: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface ThresholdReport {
  /** Figures of the requests that have a threshold. */
  lines: Line[];
  /** Number of failed checks. */
  wrongResponses: number;
  /** Number of iterations that could not start in time. */
  dropped: number;
  /** Crossed thresholds, as "metric: threshold". */
  crossed: string[];
}

export function evaluateThresholds({ metrics, state }: Summary): ThresholdReport {
  const lines = Object.entries(metrics).flatMap(([name, { values }]) => {
    const request = /^http_req_duration\{name:(.+)\}$/.exec(name)?.[1];
    if (request === undefined) return [];
    const { count = 0, "p(50)": p50Ms = 0, "p(99)": p99Ms = 0 } = values;
    return [{ request, count, perSecond: (count * 1_000) / state.testRunDurationMs, p50Ms, p99Ms }];
  });
  const crossed = Object.entries(metrics).flatMap(([name, { thresholds = {} }]) =>
    Object.entries(thresholds).flatMap(([text, { ok }]) => (ok ? [] : [`${name}: ${text}`])),
  );
  return {
    lines,
    wrongResponses: metrics.checks?.values.fails ?? 0,
    dropped: metrics.dropped_iterations?.values.count ?? 0,
    crossed,
  };
}

/** The verdict for a run without crossed thresholds. A run that was aborted at its start has no checks. */
function verdictOf({ metrics }: Summary): string {
  return metrics.checks === undefined ? "✗ no checks ran" : "✓ no threshold crossed";
}

/** Summary for the terminal. */
export function summaryText(summary: Summary): string {
  const { lines, wrongResponses, dropped, crossed } = evaluateThresholds(summary);
  const text = [
    ...lines.map(
      ({ request, count, perSecond, p50Ms, p99Ms }) =>
        `${request}: ${count}, ${perSecond.toFixed(0)} per second, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
    ),
    `wrong responses: ${wrongResponses}, dropped: ${dropped}`,
    ...crossed.map((threshold) => `✗ ${threshold}`),
    ...(crossed.length === 0 ? [verdictOf(summary)] : []),
  ];
  return `\n${text.join("\n")}\n`;
}
