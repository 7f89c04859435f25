import { type ArrivalTrend, arrivalRatio, arrivalTrend } from "@tapthru/proto/rules/tag-arrivals";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

/** Of a channel in a store; older ones are left out. */
const PERIODS_MAX_COUNT = 24;

const Counts = z.object({
  firstDay: z.string(),
  lastDay: z.string(),
  amazonClicks: z.int(),
  people: z.int(),
});
const ChannelCounts = z.object({
  channelId: z.int(),
  marketplace: z.string(),
  periods: z.array(Counts),
});

/** How a channel's tags arrive in a store. */
export interface ChannelArrivals extends z.infer<typeof ChannelCounts> {
  /** The oldest first. */
  periods: (z.infer<typeof Counts> & { isComparable: boolean; ratio: number | null })[];
  trend: ArrivalTrend;
}

/** Of each channel and store with tracking reports that the worker has compared. */
export async function findTagArrivals(
  db: Pick<CommonQueryMethods, "any">,
  userId: number,
): Promise<ChannelArrivals[]> {
  const channels = await findCounts(db, userId);
  return channels.map((channel) => {
    const periods = channel.periods
      .slice(-PERIODS_MAX_COUNT)
      .map((counts) => ({ ...counts, isComparable: true, ratio: arrivalRatio(counts) }));
    return { ...channel, periods, trend: arrivalTrend(periods) };
  });
}

/** Of the reports whose whole period counts, because their rows have sums of it. Reports of several accounts have the same people. */
function findCounts(db: Pick<CommonQueryMethods, "any">, userId: number) {
  return db.any(sql.type(ChannelCounts)`
    SELECT channel_id AS "channelId", marketplace, jsonb_agg(jsonb_build_object(
      'firstDay', first_day, 'lastDay', last_day, 'amazonClicks', clicks, 'people', people
    ) ORDER BY last_day, first_day) AS periods
    FROM (
      SELECT channel_id, marketplace, first_day, last_day, sum(amazon_clicks) AS clicks, max(people) AS people
      FROM earnings_reports AS report JOIN channel_arrivals ON report_id = report.id
      WHERE user_id = ${userId} AND days @> daterange(first_day, last_day, '[]')
      GROUP BY channel_id, marketplace, first_day, last_day
    ) AS period
    GROUP BY channel_id, marketplace
  `);
}
