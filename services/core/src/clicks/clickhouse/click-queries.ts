import { CLICK_CLASSES, classKey, ESTIMATE_KEY, OPENED_KEY } from "@tapthru/proto/clicks/keys";
import { QUARTERS_PER_DAY, quarterAt } from "@tapthru/proto/clicks/quarters";
import * as z from "zod/mini";
import type { ClickHouse } from "../../platform/clickhouse/clickhouse.ts";
import type { ClickRange } from "../click-range.ts";
import type { ClickScope } from "../click-reader.ts";

type Db = Pick<ClickHouse, "rows">;

const TOTAL_KEYS = [...CLICK_CLASSES.map(classKey), OPENED_KEY];

/** The rows of a link without an owner, or of one that the worker is moving to its owner, are those of user 0. */
function whereScope({ linkIds }: Pick<ClickScope, "linkIds">): string {
  return linkIds === null
    ? "user_id = {user:UInt64}"
    : "user_id IN (0, {user:UInt64}) AND link_id IN ({scope:Array(UInt64)})";
}

function parameters({ userId, linkIds }: ClickScope, { from, to }: Pick<ClickRange, "from" | "to">) {
  return { user: userId, ...(linkIds && { scope: linkIds }), ...quartersOf({ from, to }) };
}

/** Quarters, and the days in UTC that have some of them, as days since 1970. */
function quartersOf({ from, to }: Pick<ClickRange, "from" | "to">) {
  const [first, end] = [quarterAt(from), quarterAt(to)];
  return {
    from: first,
    to: end,
    firstDay: Math.floor(first / QUARTERS_PER_DAY),
    lastDay: Math.floor((end - 1) / QUARTERS_PER_DAY),
  };
}

const DAYS = "day BETWEEN toDate({firstDay:UInt16}) AND toDate({lastDay:UInt16})";
const QUARTER = `toUInt32(day) * ${QUARTERS_PER_DAY} + slot`;
const IN_RANGE = `${QUARTER} >= {from:UInt32} AND ${QUARTER} < {to:UInt32}`;

const PeriodCount = z.object({ quarter: z.int(), key: z.string(), clicks: z.int() });

/**
 * The counts of whole days in UTC, each divided at the starts of periods and the bounds of the range. `quarter` is one of
 * those that were counted.
 */
export function countsByPeriod(db: Db, scope: ClickScope, range: ClickRange) {
  const { from, to, firstDay } = quartersOf(range);
  const starts = range.starts.map(quarterAt).filter((start) => start > from);
  return db.rows(
    PeriodCount,
    `SELECT any(counted) AS quarter, key, sum(total) AS clicks FROM (
       SELECT ${QUARTER} AS counted, day, key, sum(count) AS total FROM clicks
       WHERE ${whereScope(scope)} AND ${DAYS} AND key IN ({keys:Array(String)})
       GROUP BY day, slot, key HAVING total != 0
     )
     GROUP BY day, roundDown(counted, {bounds:Array(UInt32)}), key`,
    {
      ...parameters(scope, range),
      keys: [...TOTAL_KEYS, ESTIMATE_KEY],
      bounds: [...new Set([firstDay * QUARTERS_PER_DAY, from, ...starts, to])],
    },
  );
}

const KeyCount = z.object({ key: z.string(), clicks: z.int() });

/** The keys with a prefix, most frequent first. */
export function countsByKey(
  db: Db,
  scope: ClickScope,
  range: ClickRange,
  { prefix, limit }: { prefix: string; limit: number },
) {
  return db.rows(
    KeyCount,
    `SELECT key, sum(count) AS clicks FROM clicks
     WHERE ${whereScope(scope)} AND ${DAYS} AND ${IN_RANGE} AND startsWith(key, {prefix:String})
     GROUP BY key HAVING clicks > 0 ORDER BY clicks DESC, key LIMIT {limit:UInt32}`,
    { ...parameters(scope, range), prefix, limit },
  );
}

const LinkTotals = z.object({
  linkId: z.int(),
  person: z.int(),
  preview: z.int(),
  bot: z.int(),
  prefetch: z.int(),
  assistant: z.int(),
  opened: z.int(),
});

/** The totals of each of these links that has clicks in the range. */
export function countsByLink(
  db: Db,
  userId: number,
  linkIds: readonly number[],
  range: Pick<ClickRange, "from" | "to">,
) {
  return db.rows(
    LinkTotals,
    `SELECT link_id AS linkId, sumIf(count, key = 'p') AS person, sumIf(count, key = 'v') AS preview,
       sumIf(count, key = 'b') AS bot, sumIf(count, key = 'f') AS prefetch,
       sumIf(count, key = 'i') AS assistant, sumIf(count, key = 'o:opened') AS opened
     FROM clicks
     WHERE user_id IN (0, {user:UInt64}) AND link_id IN ({links:Array(UInt64)}) AND ${DAYS} AND ${IN_RANGE}
     GROUP BY link_id HAVING person != 0 OR preview != 0 OR bot != 0 OR prefetch != 0 OR assistant != 0
       OR opened != 0`,
    { user: userId, links: linkIds, ...quartersOf(range) },
  );
}

const LinkValue = z.object({ link_id: z.int(), value: z.int() });
export type LinkValue = z.infer<typeof LinkValue>;

type DaysOfRange = Pick<ClickRange, "from" | "to">;

/** The people of links on whole days, most first. Read from the projection `by_link`, whose expression this is. */
export function peopleByLink(db: Db, userId: number, range: DaysOfRange, limit: number) {
  return db.rows(
    LinkValue,
    `SELECT link_id, sumIf(count, key = 'p') AS value FROM clicks
     WHERE user_id = {user:UInt64} AND ${DAYS}
     GROUP BY link_id HAVING value > 0 ORDER BY value DESC, link_id LIMIT {limit:UInt32}`,
    { user: userId, limit, ...quartersOf(range) },
  );
}

/** The last day with people of links, since 1970. From the same projection. */
export function lastDayByLink(db: Db, userId: number, range: DaysOfRange, limit: number) {
  return db.rows(
    LinkValue,
    `SELECT link_id, toUInt32(max(counted)) AS value FROM (
       SELECT link_id, day AS counted, sumIf(count, key = 'p') AS people FROM clicks
       WHERE user_id = {user:UInt64} AND ${DAYS} GROUP BY link_id, day HAVING people > 0
     )
     GROUP BY link_id ORDER BY value DESC, link_id LIMIT {limit:UInt32}`,
    { user: userId, limit, ...quartersOf(range) },
  );
}

const LinkDay = z.object({
  linkId: z.int(),
  /** Since 1970. */
  utcDay: z.int(),
  inRange: z.int(),
  all: z.int(),
  estimate: z.int(),
});

export function peopleByLinkAndDay(
  db: Db,
  userId: number,
  linkIds: readonly number[],
  range: Pick<ClickRange, "from" | "to">,
) {
  return db.rows(
    LinkDay,
    `SELECT link_id AS linkId, toUInt32(day) AS utcDay, sumIf(count, key = 'p' AND ${IN_RANGE}) AS inRange,
       sumIf(count, key = 'p') AS all, sumIf(count, key = {estimates:String}) AS estimate
     FROM clicks
     WHERE user_id IN (0, {user:UInt64}) AND ${DAYS} AND link_id IN ({links:Array(UInt64)})
       AND key IN ('p', {estimates:String})
     GROUP BY link_id, day`,
    { user: userId, links: linkIds, estimates: ESTIMATE_KEY, ...quartersOf(range) },
  );
}

const LinkPeople = z.object({ linkId: z.int(), quarter: z.int(), person: z.int() });

/** The people of some links; `quarter` is one of the period's quarters. */
export function peopleByLinkAndPeriod(db: Db, userId: number, linkIds: readonly number[], range: ClickRange) {
  const { from } = quartersOf(range);
  const starts = range.starts.map(quarterAt).filter((start) => start > from);
  return db.rows(
    LinkPeople,
    `SELECT link_id AS linkId, any(counted) AS quarter, sum(total) AS person FROM (
       SELECT link_id, ${QUARTER} AS counted, sum(count) AS total FROM clicks
       WHERE user_id IN (0, {user:UInt64}) AND ${DAYS} AND ${IN_RANGE} AND key = 'p'
         AND link_id IN ({links:Array(UInt64)})
       GROUP BY link_id, day, slot HAVING total != 0
     )
     GROUP BY link_id, roundDown(counted, {bounds:Array(UInt32)})`,
    { user: userId, links: linkIds, bounds: [from, ...starts], ...quartersOf(range) },
  );
}

const VisitorRanks = z.object({
  linkId: z.int(),
  /** Since 1970. */
  utcDay: z.int(),
  /** The number of registers of each rank. */
  ranks: z.array(z.tuple([z.int(), z.int()])),
});

/** The registers of each day in UTC of the range, of all links together (`linkId` is 0) or of each of some. */
export function visitorRanks(
  db: Db,
  scope: ClickScope,
  range: Pick<ClickRange, "from" | "to">,
  linkIds: readonly number[] | null = null,
) {
  const link = linkIds === null ? "toUInt64(0)" : "link_id";
  const some = linkIds === null ? "" : "AND link_id IN ({links:Array(UInt64)})";
  return db.rows(
    VisitorRanks,
    `SELECT link AS linkId, toUInt32(day) AS utcDay, groupArray((rank, registers)) AS ranks FROM (
       SELECT link, day, rank, count() AS registers FROM (
         SELECT link, day, intDiv(value, 64) AS register, max(value % 64) AS rank FROM (
           SELECT ${link} AS link, day, value FROM click_visitors
           WHERE ${whereScope(scope)} AND ${DAYS} ${some}
           GROUP BY link, day, value HAVING sum(count) > 0
         )
         GROUP BY link, day, register
       )
       GROUP BY link, day, rank
     )
     GROUP BY link, day`,
    { ...parameters(scope, range), ...(linkIds && { links: linkIds }) },
  );
}

const ExportedCount = z.object({
  linkId: z.int(),
  date: z.string(),
  key: z.string(),
  clicks: z.int(),
});

export function allCounts(db: Db, userId: number, linkIds: readonly number[]) {
  return db.rows(
    ExportedCount,
    `SELECT link_id AS linkId, toString(day) AS date, key, sum(count) AS clicks FROM clicks
     WHERE user_id IN (0, {user:UInt64}) AND link_id IN ({links:Array(UInt64)}) AND key != {estimates:String}
     GROUP BY link_id, day, key HAVING clicks > 0 ORDER BY day`,
    { user: userId, links: linkIds, estimates: ESTIMATE_KEY },
  );
}
