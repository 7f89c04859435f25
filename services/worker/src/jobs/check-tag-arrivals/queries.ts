import type { ChannelArrivals } from "@tapthru/core/earnings/tag-arrivals";
import { isNotSetAside } from "@tapthru/core/platform/failed-items";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { ArrivalTrend } from "@tapthru/proto/rules/tag-arrivals";
import { sql } from "slonik";
import * as z from "zod/mini";

const Nothing = z.object({});

const TrackingReport = z.object({
  id: z.int(),
  marketplace: z.string(),
  firstDay: z.string(),
  lastDay: z.string(),
});
export type TrackingReport = z.infer<typeof TrackingReport>;
const NewReports = z.object({ userId: z.int(), reports: z.array(TrackingReport) });
export type NewReports = z.infer<typeof NewReports>;

/** Users as items. */
export const KIND = "check-tag-arrivals";

/**
 * Stored tracking reports that were not compared yet, by user. One that ends today or yesterday may not be complete at Amazon,
 * and waits.
 */
export function findNewTrackingReports(db: Db<"any">, limit: number) {
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

const TagClicks = z.object({
  reportId: z.int(),
  marketplace: z.string(),
  tag: z.string(),
  clicks: z.int(),
});

export function findClicksByTag(db: Db<"any">, reportIds: readonly number[]) {
  return db.any(sql.type(TagClicks)`
    SELECT report_id AS "reportId", marketplace, lower(tag) AS tag, coalesce(sum(clicks), 0) AS clicks
    FROM earnings_rows JOIN earnings_reports AS report ON report.id = report_id
    WHERE report_id = ANY(${sql.array(reportIds, "int8")}) GROUP BY 1, 2, 3
  `);
}

/**
 * Those of an earlier run of the job stay. A channel without clicks is of another account, unless a report of this one had it
 * before. Links that moved since the period began had another channel in it. More clicks than an integer are cut to one.
 */
export async function insertArrivals(
  db: Db<"query">,
  reportId: number,
  arrivals: readonly { channelId: number; amazonClicks: number; people: number }[],
): Promise<void> {
  await db.query(sql.type(Nothing)`
    INSERT INTO channel_arrivals (report_id, channel_id, amazon_clicks, people, is_comparable)
    SELECT report.id, "channelId", least("amazonClicks", 2147483647), people, NOT EXISTS (
      SELECT FROM channel_moves WHERE channel_id = "channelId" AND moved_on >= report.first_day
    )
    FROM jsonb_to_recordset(${sql.jsonb([...arrivals])}) AS arrival
      ("channelId" integer, "amazonClicks" bigint, people integer)
    JOIN earnings_reports AS report ON report.id = ${reportId}
    WHERE "amazonClicks" > 0 OR EXISTS (
      SELECT FROM channel_arrivals AS earlier JOIN earnings_reports AS other ON other.id = earlier.report_id
      WHERE earlier.channel_id = "channelId" AND earlier.amazon_clicks > 0
        AND (other.marketplace, other.store_id) = (report.marketplace, report.store_id)
    )
    ON CONFLICT DO NOTHING
  `);
}

export async function markCompared(db: Db<"query">, reportIds: readonly number[]): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE earnings_reports SET is_compared = true WHERE id = ANY(${sql.array(reportIds, "int8")})
  `);
}

/** Records it, with its event for webhooks, unless it is known already. */
export async function reportFailing(
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
export async function deleteFailing(
  db: Db<"query">,
  { channelId, marketplace }: Pick<ChannelArrivals, "channelId" | "marketplace">,
): Promise<void> {
  await db.query(sql.type(Nothing)`
    DELETE FROM failing_channels WHERE channel_id = ${channelId} AND marketplace = ${marketplace}
  `);
}

/** Of channels without any report that was compared: the user removed them. */
export async function deleteFailingWithoutReports(db: Db<"query">, userId: number): Promise<void> {
  await db.query(sql.type(Nothing)`
    DELETE FROM failing_channels AS failing USING channels AS channel
    WHERE channel.id = failing.channel_id AND channel.user_id = ${userId} AND NOT EXISTS (
      SELECT FROM channel_arrivals AS arrival JOIN earnings_reports AS report ON report.id = report_id
      WHERE arrival.channel_id = failing.channel_id AND report.marketplace = failing.marketplace
    )
  `);
}

const DueNotice = z.object({
  channelId: z.int(),
  marketplace: z.string(),
  name: z.string(),
  email: z.string(),
});
export type DueNotice = z.infer<typeof DueNotice>;

export function findDueNotices(db: Db<"any">, limit: number) {
  return db.any(sql.type(DueNotice)`
    SELECT channel_id AS "channelId", marketplace, name, email FROM due_channel_notices(${limit})
  `);
}

/** @returns whether it was not so before */
export async function setNoticeDue(
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
