const METRIC = "tapthru_app_opening_outcomes";
const MINUTE_S = 60;
const DAY_S = 24 * 60 * MINUTE_S;

/** Each minute. */
const PAST_COUNTS = { opened: 9, stayed: 1 };

/** Reports of the last seven days for these rows, as OpenMetrics text for Prometheus. @param now Unix seconds */
export function pastOutcomes(rows: readonly string[], now: number): string {
  const samples = rows.flatMap((row) =>
    Object.entries(PAST_COUNTS).flatMap(([outcome, perMinute]) =>
      Array.from({ length: (7 * DAY_S) / MINUTE_S }, (_, minute) => {
        const time = Math.floor(now) - 7 * DAY_S + minute * MINUTE_S;
        return `${METRIC}_total{row="${row}",outcome="${outcome}"} ${perMinute * minute} ${time}`;
      }),
    ),
  );
  return [`# TYPE ${METRIC} counter`, ...samples, "# EOF", ""].join("\n");
}
