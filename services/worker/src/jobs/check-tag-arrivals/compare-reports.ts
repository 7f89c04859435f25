import { clickRange } from "@tapthru/core/clicks/click-range";
import { addUpPeople, readStorePeople, type StorePeople } from "@tapthru/core/earnings/store-people";
import { findTagChannels, tagKey } from "@tapthru/core/earnings/tag-channels";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../../app.ts";

export interface CompareApp extends Pick<App, "db"> {
  clickReader: Pick<App["clickReader"], "count">;
}

/**
 * Keeps Amazon's clicks and our people of each channel with a tag in the reports, once: links that are deleted or get another
 * channel later do not change them.
 */
export async function compareReports(
  { db, clickReader }: CompareApp,
  userId: number,
  reports: readonly TrackingReport[],
): Promise<void> {
  const clicks = await findClicksByTag(
    db,
    reports.map(({ id }) => id),
  );
  const channelOfTag = await findTagChannels(db, userId, clicks);
  const clicksOf = Map.groupBy(clicks, ({ reportId }) => reportId);
  // Which channels a report may have is known from the earlier ones.
  const sorted = reports.toSorted((a, b) => (a.lastDay < b.lastDay ? -1 : 1));
  const periods = Map.groupBy(sorted, ({ firstDay, lastDay }) => `${firstDay} ${lastDay}`);
  for (const ofPeriod of periods.values()) {
    const { firstDay: from, lastDay: to } = ofPeriod[0] ?? {};
    const range = clickRange({ from, to, tz: "UTC", interval: "day" }, Date.now());
    if (range === null) continue;
    const found = await readStorePeople({ db, clickReader: clickReader }, { userId, range });
    const people = addUpPeople(found, placeKey);
    for (const { id, marketplace } of ofPeriod) {
      const ofStore = found.filter((place) => place.marketplace === marketplace);
      const amazonClicks = new Map(ofStore.map(({ channelId }): [number, number] => [channelId, 0]));
      for (const { tag, clicks: count } of clicksOf.get(id) ?? []) {
        const channelId = channelOfTag.get(tagKey({ marketplace, tag })) ?? null;
        if (channelId === null) continue;
        amazonClicks.set(channelId, (amazonClicks.get(channelId) ?? 0) + count);
      }
      const arrivals = [...amazonClicks].map(([channelId, count]) => ({
        channelId,
        amazonClicks: count,
        people: people.get(placeKey({ channelId, marketplace })) ?? 0,
      }));
      await insertArrivals(db, id, arrivals);
    }
  }
}

const placeKey = ({ channelId, marketplace }: Omit<StorePeople, "people">) => `${channelId} ${marketplace}`;

export const TrackingReport = z.object({
  id: z.int(),
  marketplace: z.string(),
  firstDay: z.string(),
  lastDay: z.string(),
});
export type TrackingReport = z.infer<typeof TrackingReport>;
const TagClicks = z.object({
  reportId: z.int(),
  marketplace: z.string(),
  tag: z.string(),
  clicks: z.int(),
});

function findClicksByTag(db: Db<"any">, reportIds: readonly number[]) {
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
async function insertArrivals(
  db: Db<"query">,
  reportId: number,
  arrivals: readonly { channelId: number; amazonClicks: number; people: number }[],
): Promise<void> {
  await db.query(sql.type(z.object({}))`
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
