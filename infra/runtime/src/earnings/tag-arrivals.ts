import { type ArrivalTrend, arrivalRatio, arrivalTrend } from "@tapthru/proto/rules/tag-arrivals";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import { clickRange } from "../clicks/click-range.ts";
import type { ClickStore } from "../clicks/click-store.ts";
import { readMatcher } from "./read-matcher.ts";
import { addUpPeople, readStorePeople } from "./store-people.ts";

const DAY_MS = 86_400_000;
/** Of all channels together; older ones are left out. */
const PERIODS_MAX_COUNT = 24;

interface ArrivalDependencies {
  db: Pick<CommonQueryMethods, "any">;
  clickStore: Pick<ClickStore, "count" | "people">;
}

interface Period {
  firstDay: string;
  lastDay: string;
  amazonClicks: number;
  people: number;
  ratio: number | null;
}

/** How a channel's tags arrive in a store. */
export interface ChannelArrivals {
  channelId: number;
  marketplace: string;
  /** The oldest first. */
  periods: Period[];
  /** The last period that has ended. */
  lastEnded: Period | null;
  trend: ArrivalTrend;
}

/**
 * Compares Amazon's clicks with our people, for each channel and store with a tracking report. A period that ends today or
 * yesterday may not be complete at Amazon, and is not judged.
 */
export async function findTagArrivals(
  { db, clickStore }: ArrivalDependencies,
  userId: number,
  now: number = Date.now(),
): Promise<ChannelArrivals[]> {
  const { links, matcher } = await readMatcher(db, userId);
  const found = new Map<string, Omit<ChannelArrivals, "lastEnded" | "trend">>();
  for (const [period, clicks] of lastPeriods(await findTrackedClicks(db, userId))) {
    const [from = "", to = ""] = period.split(" ");
    const range = clickRange({ from, to, tz: "UTC", interval: "day" }, now);
    if (range === null) continue;
    const people = addUpPeople(
      await readStorePeople(
        clickStore,
        { userId, range },
        { links, matcher, people: await clickStore.people(userId, range) },
      ),
      keyOf,
    );
    const clicksOf = new Map<string, { channelId: number; marketplace: string; count: number }>();
    for (const { marketplace, tag, clicks: count } of clicks) {
      const { channelId } = matcher.match({ marketplace, tag, asin: "", isDirect: false });
      if (channelId === null) continue;
      const key = keyOf({ channelId, marketplace });
      const earlier = clicksOf.get(key)?.count ?? 0;
      clicksOf.set(key, { channelId, marketplace, count: earlier + count });
    }
    for (const [key, { channelId, marketplace, count }] of clicksOf) {
      const counts = { amazonClicks: count, people: people.get(key) ?? 0 };
      const arrivals = found.get(key) ?? { channelId, marketplace, periods: [] };
      found.set(key, arrivals);
      arrivals.periods.push({
        firstDay: from,
        lastDay: to,
        ...counts,
        ratio: arrivalRatio(counts),
      });
    }
  }
  return [...found.values()].map((arrivals) => {
    const ended = arrivals.periods.filter(({ lastDay }) => Date.parse(lastDay) + 2 * DAY_MS <= now);
    return { ...arrivals, lastEnded: ended.at(-1) ?? null, trend: arrivalTrend(ended) };
  });
}

const keyOf = ({ channelId, marketplace }: { channelId: number; marketplace: string }) =>
  `${channelId} ${marketplace}`;

const TrackedClicks = z.object({
  firstDay: z.string(),
  lastDay: z.string(),
  marketplace: z.string(),
  tag: z.string(),
  clicks: z.int(),
});
type TrackedClicks = z.infer<typeof TrackedClicks>;

/** Rows of the last periods, the oldest first. */
function lastPeriods(rows: readonly TrackedClicks[]): [string, TrackedClicks[]][] {
  const periods = Map.groupBy(rows, ({ firstDay, lastDay }) => `${firstDay} ${lastDay}`);
  return [...periods].slice(-PERIODS_MAX_COUNT);
}

/** Of the tracking reports whose whole period counts, because their rows have sums of it. */
function findTrackedClicks(db: Pick<CommonQueryMethods, "any">, userId: number) {
  return db.any(sql.type(TrackedClicks)`
    SELECT first_day::text AS "firstDay", last_day::text AS "lastDay", marketplace, lower(tag) AS tag,
      coalesce(sum(clicks), 0) AS clicks
    FROM earnings_reports AS report JOIN earnings_rows AS item ON item.report_id = report.id
    WHERE user_id = ${userId} AND kind = 'tracking' AND days @> daterange(first_day, last_day, '[]')
    GROUP BY last_day, first_day, marketplace, lower(tag) ORDER BY last_day, first_day
  `);
}
