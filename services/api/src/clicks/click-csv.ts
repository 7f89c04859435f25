import type { ClickReport } from "@tapthru/proto/http/clicks";

const COUNTS = ["person", "preview", "bot", "prefetch", "visitors", "opened"] as const;

/** The breakdown if there is one, else the series, as CSV (RFC 4180) with a header. Values never need quotes. */
export function clickCsv({ series, breakdown }: ClickReport, hasBreakdown: boolean): string {
  const lines = hasBreakdown
    ? breakdown.map((part) => [part.key, ...COUNTS.map((name) => part[name])])
    : series.map((period) => [period.start, ...COUNTS.map((name) => period[name])]);
  const header = [hasBreakdown ? "key" : "start", ...COUNTS];
  return [header, ...lines].map((values) => `${values.join(",")}\r\n`).join("");
}
