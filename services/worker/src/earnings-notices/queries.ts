import type { ChannelArrivals } from "@tapthru/runtime/earnings/tag-arrivals";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const Nothing = z.object({});
const NewReports = z.object({ userId: z.int(), reportIds: z.array(z.int()) });

/** Stored tracking reports that were not compared yet, by user. */
export function findNewTrackingReports(db: Pick<CommonQueryMethods, "any">, limit: number) {
  return db.any(sql.type(NewReports)`
    SELECT user_id AS "userId", jsonb_agg(id) AS "reportIds" FROM earnings_reports
    WHERE kind = 'tracking' AND NOT is_compared AND days <> '{}' GROUP BY user_id LIMIT ${limit}
  `);
}

export async function markCompared(
  db: Pick<CommonQueryMethods, "query">,
  reportIds: readonly number[],
): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE earnings_reports SET is_compared = true WHERE id = ANY(${sql.array(reportIds, "int8")})
  `);
}

/** Records it, with its event for webhooks, unless it is known already. */
export async function reportFailing(
  db: Pick<CommonQueryMethods, "query">,
  { channelId, marketplace, lastEnded: last, trend }: ChannelArrivals,
): Promise<void> {
  if (last === null) return;
  await db.query(sql.type(Nothing)`
    SELECT report_failing_channel(${channelId}, ${marketplace}, ${last.firstDay}::text::date,
      ${last.lastDay}::text::date, ${trend.ratio}, ${trend.usualRatio})
  `);
}

/** A later fall is reported again. */
export async function deleteFailing(
  db: Pick<CommonQueryMethods, "query">,
  { channelId, marketplace }: Pick<ChannelArrivals, "channelId" | "marketplace">,
): Promise<void> {
  await db.query(sql.type(Nothing)`
    DELETE FROM failing_channels WHERE channel_id = ${channelId} AND marketplace = ${marketplace}
  `);
}

const DueNotice = z.object({
  channelId: z.int(),
  marketplace: z.string(),
  name: z.string(),
  email: z.string(),
});
export type DueNotice = z.infer<typeof DueNotice>;

export function findDueNotices(db: Pick<CommonQueryMethods, "any">, limit: number) {
  return db.any(sql.type(DueNotice)`
    SELECT channel_id AS "channelId", marketplace, name, email FROM due_channel_notices(${limit})
  `);
}

/** @returns whether it was not so before */
export async function setNoticeDue(
  db: Pick<CommonQueryMethods, "query">,
  { channelId, marketplace }: Pick<DueNotice, "channelId" | "marketplace">,
  isDue: boolean,
): Promise<boolean> {
  const { rowCount } = await db.query(sql.type(Nothing)`
    UPDATE failing_channels SET notice_due = ${isDue}
    WHERE channel_id = ${channelId} AND marketplace = ${marketplace} AND notice_due <> ${isDue}
  `);
  return rowCount === 1;
}
