interface Metric {
  values: Record<string, number>;
  thresholds?: Record<string, { ok: boolean }>;
}

/** The part of k6's summary that is read here. */
export interface Summary {
  state: { testRunDurationMs: number };
  metrics: Record<string, Metric>;
}

/** How one kind of request went. */
interface Line {
  /** The name of its step. */
  request: string;
  count: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface ThresholdReport {
  /** Only of the requests that have a threshold of their own. */
  lines: Line[];
  /** Of all checks, those that did not hold. */
  wrongAnswers: number;
  /** Visits that could not be sent in time. */
  dropped: number;
  /** Thresholds that do not hold, as "metric: threshold". */
  crossed: string[];
}

export function judge({ metrics, state }: Summary): ThresholdReport {
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
    wrongAnswers: metrics.checks?.values.fails ?? 0,
    dropped: metrics.dropped_iterations?.values.count ?? 0,
    crossed,
  };
}

/** Without a crossed threshold. A run that was given up in its beginning checked nothing. */
function verdictOf({ metrics }: Summary): string {
  return metrics.checks === undefined ? "✗ nothing was tried" : "✓ every threshold holds";
}

/** For the terminal. */
export function summaryText(summary: Summary): string {
  const { lines, wrongAnswers, dropped, crossed } = judge(summary);
  const text = [
    ...lines.map(
      ({ request, count, perSecond, p50Ms, p99Ms }) =>
        `${request}: ${count}, ${perSecond.toFixed(0)} a second, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
    ),
    `wrong answers: ${wrongAnswers}, not sent in time: ${dropped}`,
    ...crossed.map((threshold) => `✗ ${threshold}`),
    ...(crossed.length === 0 ? [verdictOf(summary)] : []),
  ];
  return `\n${text.join("\n")}\n`;
}
