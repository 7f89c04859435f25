import { clickRange } from "@tapthru/core/clicks/click-range";
import type { ClickScope, ClickStore } from "@tapthru/core/clicks/click-store";
import { findCompleteUntil, findOwnLinkId } from "@tapthru/core/clicks/queries";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { ClickQuery, ClickReport } from "@tapthru/proto/http/clicks";
import { messages } from "@tapthru/proto/rules/messages";
import { ApiError } from "../errors.ts";

export interface ClickReportDependencies {
  db: Db<"oneFirst">;
  clickStore: Pick<ClickStore, "count">;
}

/** @throws ApiError if the range is invalid */
export async function clickReport(
  { db, clickStore }: ClickReportDependencies,
  scope: ClickScope,
  query: ClickQuery,
  now: number = Date.now(),
): Promise<ClickReport> {
  const range = clickRange(query, now);
  if (range === null)
    throw new ApiError("invalid-query", { message: messages.malformedField("from") });
  const { from, to, starts } = range;
  const [completeUntil, { totals, series, breakdown }] = await Promise.all([
    findCompleteUntil(db),
    clickStore.count(scope, range, query.by),
  ]);
  return {
    timeZone: query.tz,
    from: iso(from),
    to: iso(to),
    completeUntil: iso(completeUntil),
    totals,
    series: starts.flatMap((start, index) => {
      const period = series[index];
      return period === undefined ? [] : [{ start: iso(start), ...period }];
    }),
    breakdown,
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

/** @throws ApiError if the user has no such link */
export async function ownLinkScope(
  db: Db<"maybeOne">,
  { userId, shortCode }: { userId: number; shortCode: string },
): Promise<ClickScope> {
  const link = await findOwnLinkId(db, { userId, shortCode });
  if (link === null) throw new ApiError("link-not-found");
  return { userId, link };
}
