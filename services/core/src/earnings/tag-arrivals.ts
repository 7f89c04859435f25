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
  isComparable: z.boolean(),
});
const ChannelCounts = z.object({
  channelId: z.int(),
  marketplace: z.string(),
  periods: z.array(Counts),
});

export interface ChannelArrivals extends z.infer<typeof ChannelCounts> {
  /** The oldest first. */
  periods: (z.infer<typeof Counts> & { ratio: number | null })[];
  trend: ArrivalTrend;
}

/** Of each channel and store with tracking reports that the worker has compared. */
export async function findTagArrivals(db: Pick<CommonQueryMethods, "any">, userId: number): Promise<ChannelArrivals[]> {
  const channels = await findCounts(db, userId);
  return channels.map((channel) => {
    const periods = channel.periods
      .slice(-PERIODS_MAX_COUNT)
      .map((counts) => ({ ...counts, ratio: arrivalRatio(counts) }));
    return { ...channel, periods, trend: arrivalTrend(periods) };
  });
}

/**
 * Of all stored reports, also if later ones have some of their days; of those of one period, the last one of each account. Reports
 * of several accounts have the same people.
 */
function findCounts(db: Pick<CommonQueryMethods, "any">, userId: number) {
  return db.any(sql.type(ChannelCounts)`
    SELECT channel_id AS "channelId", marketplace, jsonb_agg(jsonb_build_object(
      'firstDay', first_day, 'lastDay', last_day, 'amazonClicks', clicks, 'people', people,
      'isComparable', is_comparable
    ) ORDER BY last_day, first_day) AS periods
    FROM (
      SELECT channel_id, marketplace, first_day, last_day, sum(amazon_clicks) AS clicks, max(people) AS people,
        bool_and(is_comparable) AS is_comparable
      FROM (
        SELECT DISTINCT ON (channel_id, report.marketplace, report.store_id, first_day, last_day)
          channel_id, report.marketplace, first_day, last_day, amazon_clicks, people, is_comparable
        FROM earnings_reports AS report JOIN channel_arrivals ON report_id = report.id
        JOIN earnings_imports AS import ON import.id = report.import_id
        WHERE report.user_id = ${userId} AND state = 'stored'
        ORDER BY channel_id, report.marketplace, report.store_id, first_day, last_day, stored_at DESC
      ) AS last_report
      GROUP BY channel_id, marketplace, first_day, last_day
    ) AS period
    GROUP BY channel_id, marketplace
  `);
}
