import { findTagArrivals } from "@tapthru/core/earnings/tag-arrivals";
import { forEachItem } from "@tapthru/core/platform/failed-items";
import type { Stoppable } from "../../app.ts";
import type { NoticeApp } from "../../emails/send-notices.ts";
import { type CompareApp, compareReports } from "./compare-reports.ts";
import { sendChannelNotices } from "./notices.ts";
import * as queries from "./queries.ts";

/** Users in one job; the next one has the others. */
const BATCH = 20;
/** A fall that ended earlier is shown, but not reported. */
const REPORTED_MS = 60 * 86_400_000;

/** Compares tracking reports whose period ended since the last run with clicks, and then sends the emails that are due. */
export async function checkTagArrivals(
  { clickReader, ...app }: NoticeApp & CompareApp,
  _payload: object,
  { signal }: Stoppable,
): Promise<void> {
  const { db, logger } = app;
  try {
    await forEachItem(
      { db, logger, kind: queries.KIND, signal },
      await queries.findNewTrackingReports(db, BATCH),
      ({ userId }) => userId,
      (ofUser) => compareOfUser({ db, clickReader }, ofUser),
    );
  } finally {
    await sendChannelNotices(app, signal);
  }
}

async function compareOfUser(
  { db, clickReader }: CompareApp,
  { userId, reports }: queries.NewReports,
): Promise<void> {
  await queries.deleteFailingWithoutReports(db, userId);
  await compareReports({ db, clickReader }, userId, reports);
  for (const { channelId, marketplace, periods, trend } of await findTagArrivals(db, userId)) {
    const last = periods.at(-1);
    // With too few people nothing is known.
    if (last === undefined || trend.ratio === null) continue;
    const channel = { channelId, marketplace };
    if (!trend.isFalling) await queries.deleteFailing(db, channel);
    else if (Date.parse(last.lastDay) > Date.now() - REPORTED_MS) {
      await queries.reportFailing(db, channel, last, trend);
    }
  }
  const reportIds = reports.map(({ id }) => id);
  await queries.markCompared(db, reportIds);
}
