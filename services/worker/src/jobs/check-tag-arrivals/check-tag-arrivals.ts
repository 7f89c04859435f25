import type { ChannelArrivals } from "@tapthru/core/earnings/tag-arrivals";
import { findTagArrivals } from "@tapthru/core/earnings/tag-arrivals";
import { forEachItem, isNotSetAside } from "@tapthru/core/platform/failed-items";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { nameInEmail } from "@tapthru/proto/rules/names";
import { accountPath, paths } from "@tapthru/proto/rules/paths";
import type { ArrivalTrend } from "@tapthru/proto/rules/tag-arrivals";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Stoppable } from "../../app.ts";
import { type Notice, type NoticeApp, sendNotices } from "../../emails/send-notices.ts";
import { type CompareApp, compareReports, TrackingReport } from "./compare-reports.ts";

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
      { db, logger, kind: KIND, signal },
      await findNewTrackingReports(db, BATCH),
      ({ userId }) => userId,
      (ofUser) => compareOfUser({ db, clickReader }, ofUser),
    );
  } finally {
    await sendChannelNotices(app, signal);
  }
}

async function compareOfUser({ db, clickReader }: CompareApp, { userId, reports }: NewReports): Promise<void> {
  await deleteFailingWithoutReports(db, userId);
  await compareReports({ db, clickReader }, userId, reports);
  for (const { channelId, marketplace, periods, trend } of await findTagArrivals(db, userId)) {
    const last = periods.at(-1);
    // With too few people nothing is known.
    if (last === undefined || trend.ratio === null) continue;
    const channel = { channelId, marketplace };
    if (!trend.isFalling) await deleteFailing(db, channel);
    else if (Date.parse(last.lastDay) > Date.now() - REPORTED_MS) {
      await reportFailing(db, channel, last, trend);
    }
  }
  const reportIds = reports.map(({ id }) => id);
  await markCompared(db, reportIds);
}

const EMAILS = 50;

/** Sends the owners of channels whose tags arrive less often one email each. */
function sendChannelNotices(app: NoticeApp, signal: AbortSignal): Promise<void> {
  return sendNotices(app, "channel-notices", () => channelNotices(app), signal);
}

async function channelNotices({ db, productName, publicBaseUrl }: NoticeApp): Promise<Notice[]> {
  return (await findDueNotices(db, EMAILS)).map((notice) => {
    const { userId, name, channelId, marketplace, email } = notice;
    const url = publicBaseUrl + accountPath(userId, paths.earnings);
    return {
      key: `${channelId} ${marketplace}`,
      to: email,
      write: () => channelNotice({ name, store: `amazon.${marketplace}`, productName, url }),
      setDue: (isDue) => setNoticeDue(db, notice, isDue),
      logged: { event: "channel_notice_not_sent", channelId },
    };
  });
}

const Nothing = z.object({});

const NewReports = z.object({ userId: z.int(), reports: z.array(TrackingReport) });
type NewReports = z.infer<typeof NewReports>;

const KIND = "check-tag-arrivals";

/**
 * Stored tracking reports that were not compared yet, by user. One that ends today or yesterday may not be complete at Amazon,
 * and waits.
 */
function findNewTrackingReports(db: Db<"any">, limit: number) {
  return db.any(sql.type(NewReports)`
    SELECT user_id AS "userId", jsonb_agg(jsonb_build_object(
      'id', id, 'marketplace', marketplace, 'firstDay', first_day, 'lastDay', last_day
    )) AS reports
    FROM earnings_reports
    WHERE kind = 'tracking' AND NOT is_compared
      AND EXISTS (SELECT FROM earnings_imports WHERE id = import_id AND state = 'stored')
      AND last_day < (now() AT TIME ZONE 'UTC')::date - 1
      AND ${isNotSetAside(KIND, sql.fragment`user_id`)}
    GROUP BY user_id LIMIT ${limit}
  `);
}

async function markCompared(db: Db<"query">, reportIds: readonly number[]): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE earnings_reports SET is_compared = true WHERE id = ANY(${sql.array(reportIds, "int8")})
  `);
}

/** Records it, with its event for webhooks, unless it is known already. */
async function reportFailing(
  db: Db<"query">,
  { channelId, marketplace }: Pick<ChannelArrivals, "channelId" | "marketplace">,
  last: Pick<TrackingReport, "firstDay" | "lastDay">,
  { ratio, usualRatio }: ArrivalTrend,
): Promise<void> {
  await db.query(sql.type(Nothing)`
    SELECT report_failing_channel(${channelId}, ${marketplace}, ${last.firstDay}::text::date,
      ${last.lastDay}::text::date, ${ratio}, ${usualRatio})
  `);
}

/** A later fall is reported again. */
async function deleteFailing(
  db: Db<"query">,
  { channelId, marketplace }: Pick<ChannelArrivals, "channelId" | "marketplace">,
): Promise<void> {
  await db.query(sql.type(Nothing)`
    DELETE FROM failing_channels WHERE channel_id = ${channelId} AND marketplace = ${marketplace}
  `);
}

/** Of channels without any report that was compared: the user removed them. */
async function deleteFailingWithoutReports(db: Db<"query">, userId: number): Promise<void> {
  await db.query(sql.type(Nothing)`
    DELETE FROM failing_channels AS failing USING channels AS channel
    WHERE channel.id = failing.channel_id AND channel.user_id = ${userId} AND NOT EXISTS (
      SELECT FROM channel_arrivals AS arrival JOIN earnings_reports AS report ON report.id = report_id
      WHERE arrival.channel_id = failing.channel_id AND report.marketplace = failing.marketplace
    )
  `);
}

const DueNotice = z.object({
  userId: z.int(),
  channelId: z.int(),
  marketplace: z.string(),
  name: z.string(),
  email: z.string(),
});
type DueNotice = z.infer<typeof DueNotice>;

function findDueNotices(db: Db<"any">, limit: number) {
  return db.any(sql.type(DueNotice)`
    SELECT user_id AS "userId", channel_id AS "channelId", marketplace, channel.name, email
    FROM due_channel_notices(${limit}) AS notice JOIN channels AS channel ON channel.id = notice.channel_id
  `);
}

/** @returns whether it was not so before */
async function setNoticeDue(
  db: Db<"query">,
  { channelId, marketplace }: Pick<DueNotice, "channelId" | "marketplace">,
  isDue: boolean,
): Promise<boolean> {
  const { rowCount } = await db.query(sql.type(Nothing)`
    UPDATE failing_channels SET notice_due = ${isDue}
    WHERE channel_id = ${channelId} AND marketplace = ${marketplace} AND notice_due <> ${isDue}
  `);
  return rowCount === 1;
}

interface FailingChannel {
  name: string;
  /** Such as amazon.de. */
  store: string;
  productName: string;
  url: string;
}

/** The email to the owner of a channel whose clicks arrive at Amazon less often than before. */
export const channelNotice = ({ name, store, productName, url }: FailingChannel) => ({
  subject: `Fewer taps of ${nameInEmail(name)} arrive at ${store}`,
  text: `Amazon's latest tracking report for ${store} has far fewer clicks for your channel ${nameInEmail(name)} than before, compared with the people who opened its links at ${productName} on the same days. Your tags may get lost on the way.

What to check:
- Do the links of this channel have the right tag?
- Does Amazon still list the tag in your account?
- Does the report have all tags of the channel?
- Open a link of the channel on your phone: does Amazon's app open the product?

The figures are here: ${url}`,
});
