import type { ClickStore } from "@tapthru/runtime/clicks/click-store";
import { findTagArrivals } from "@tapthru/runtime/earnings/tag-arrivals";
import type { CommonQueryMethods } from "slonik";
import { type NoticeDependencies, sendChannelNotices } from "./notices.ts";
import * as queries from "./queries.ts";

export interface CheckArrivalsDependencies extends NoticeDependencies {
  db: Pick<CommonQueryMethods, "any" | "query">;
  clickReader: Pick<ClickStore, "count" | "people">;
}

/** Users in one job; the next one has the others. */
const BATCH = 20;

/** Compares tracking reports that were stored since the last run with clicks, and then sends the emails that are due. */
export async function checkTagArrivals(
  { clickReader, ...deps }: CheckArrivalsDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps;
  for (const { userId, reportIds } of await queries.findNewTrackingReports(db, BATCH)) {
    if (signal.aborted) return;
    for (const arrivals of await findTagArrivals({ db, clickStore: clickReader }, userId)) {
      if (arrivals.trend.isFalling) await queries.reportFailing(db, arrivals);
      else await queries.deleteFailing(db, arrivals);
    }
    await queries.markCompared(db, reportIds);
  }
  await sendChannelNotices(deps, signal);
}
