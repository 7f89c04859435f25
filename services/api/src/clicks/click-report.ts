import {
  CLICK_CLASSES,
  classKey,
  OPENED_KEY,
  PAGE_KEY,
  STAYED_KEY,
} from "@tapthru/proto/clicks/keys";
import type { ClickBreakdown, ClickQuery, ClickReport } from "@tapthru/proto/http/clicks";
import { messages } from "@tapthru/proto/rules/messages";
import type { CommonQueryMethods } from "slonik";
import { ApiError } from "../errors.ts";
import { breakdown } from "./breakdown.ts";
import { clickRange } from "./click-range.ts";
import { ClickSums, Periods } from "./click-sums.ts";
import { clickRowsQuery, findCompleteUntil, type OwnLink } from "./queries.ts";

const TOTAL_KEYS = [...CLICK_CLASSES.map(classKey), OPENED_KEY];
const OUTCOME_KEYS = [PAGE_KEY, STAYED_KEY];

/** @throws ApiError if the range is invalid */
export async function clickReport(
  db: Pick<CommonQueryMethods, "any" | "oneFirst">,
  links: readonly OwnLink[],
  query: ClickQuery,
  now: number = Date.now(),
): Promise<ClickReport> {
  const range = clickRange(query, now);
  if (range === null)
    throw new ApiError("invalid-query", { message: messages.malformedField("from") });
  const { from, to, starts } = range;
  const linkIds = links.map(({ id }) => id);
  const [completeUntil, rows] = await Promise.all([
    findCompleteUntil(db),
    linkIds.length === 0
      ? []
      : db.any(clickRowsQuery({ linkIds, from, to, keys: keysFor(query.by) })),
  ]);
  const periods = new Periods(range);
  const sums = new ClickSums(periods);
  for (const row of rows) sums.add(row);
  const totals = sums.totals();
  const byPeriod = sums.byPeriod();
  return {
    timeZone: query.tz,
    from: iso(from),
    to: iso(to),
    completeUntil: iso(completeUntil),
    totals,
    series: starts.flatMap((start, index) => {
      const period = byPeriod[index];
      return period === undefined ? [] : [{ start: iso(start), ...period }];
    }),
    breakdown: query.by === undefined ? [] : breakdown(query.by, { rows, links, periods, totals }),
  };
}

/** Without a dimension few keys are read; null: all. */
function keysFor(by: ClickBreakdown | undefined): string[] | null {
  if (by === undefined || by === "class" || by === "link") return TOTAL_KEYS;
  return by === "outcome" ? [...TOTAL_KEYS, ...OUTCOME_KEYS] : null;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
