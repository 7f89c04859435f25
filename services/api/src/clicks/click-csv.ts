import type { ClickReport } from "@tapthru/proto/http/clicks";
import { harmlessCell } from "@tapthru/proto/rules/csv-cell";
import { csvText } from "../http/csv.ts";

const COUNTS = ["person", "preview", "bot", "prefetch", "visitors", "opened"] as const;

/** The breakdown if there is one, else the series. */
export function clickCsv({ series, breakdown }: ClickReport, hasBreakdown: boolean): string {
  return hasBreakdown
    ? csvText(
        ["key", ...COUNTS],
        breakdown.map((part) => ({ ...part, key: harmlessCell(part.key) })),
      )
    : csvText(["start", ...COUNTS], series);
}
