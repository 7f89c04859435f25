import { allOrEachItem, attemptItem } from "@tapthru/core/platform/failed-items";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { PackedCounts, UnpackedCounts } from "@tapthru/proto/clicks/packed-counts";
import { firstQuarterOf } from "@tapthru/proto/clicks/quarters";
import { estimateVisitors } from "@tapthru/proto/clicks/visitor-sketch";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { App, Stoppable } from "../../app.ts";
import { acquireClicksLock, createPartitions, DayRow } from "../../clicks/queries.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Links per transaction. Their clicks that arrive wait until it ends. */
const LINKS_PER_BATCH = 200;

/**
 * Merges the daily rows of links in each past month into one row for each link. No detail is lost: the row has every
 * quarter-hour. Then drops the month's partition, and those of months that are no longer kept.
 */
export async function rollUpClicks(
  { db, clickRetention, logger }: Pick<App, "db" | "clickRetention" | "logger">,
  _payload: object,
  { signal }: Stoppable,
  now: number = Date.now(),
): Promise<void> {
  const month = monthOf(now);
  for (const next of [month, addMonths(month, 1)]) await createPartitions(db, next);

  const loop = { db, logger, kind: "roll-up-clicks", signal };
  const drop = (table: PartitionedTable, past: string) =>
    attemptItem({ ...loop, kind: "drop-click-partitions" }, `${table} ${past}`, () => dropPartition(db, table, past));
  for (const past of await findPartitionMonths(db, "clicks")) {
    if (!isMonthOver(past, clickRetention.dailyDays, now)) break;
    let afterId: number | undefined = 0;
    while (afterId !== undefined && !signal.aborted) {
      const limits = { afterId, limit: LINKS_PER_BATCH };
      const links: readonly number[] = await findLinksOfMonth(db, past, limits);
      await allOrEachItem(
        loop,
        links,
        (id) => `${past} ${id}`,
        (ids) => rollUpLinks(db, past, ids),
      );
      afterId = links[LINKS_PER_BATCH - 1];
    }
    if (signal.aborted) return;
    if (!(await hasClicks(db, past))) await drop("clicks", past);
  }
  const firstKept = addMonths(month, -clickRetention.keptMonths);
  for (const table of ["monthly_clicks", "user_clicks"] as const) {
    for (const past of await findPartitionMonths(db, table)) {
      if (past >= firstKept) break;
      await drop(table, past);
    }
  }
}

function rollUpLinks(db: CommonQueryMethods, month: string, found: readonly number[]): Promise<void> {
  return db.transaction(async (transaction) => {
    await acquireClicksLock(transaction);
    const existing = await lockLinksById(transaction, found);
    const days = await takeDays(transaction, month, found);
    const kept = days.filter(({ id }) => existing.includes(id));
    const current = await findMonthRows(transaction, month, existing);
    if (kept.length > 0) await upsertMonthRows(transaction, month, mergeDays(month, kept, current));
  });
}

function mergeDays(month: string, days: readonly DayRow[], current: readonly MonthRow[]): MonthRow[] {
  const firstQuarter = firstQuarterOf(month);
  return [...Map.groupBy(days, ({ id }) => id)].map(([linkId, linkDays]) => {
    const counts = new UnpackedCounts(Number.POSITIVE_INFINITY);
    const row = current.find((candidate) => candidate.linkId === linkId);
    if (row !== undefined) counts.addPacked(row.counts);
    const visitors = { ...row?.visitors };
    const people = { ...row?.people };
    for (const { day, counts: packed, visitors: sketch, people: ofDay } of linkDays) {
      counts.addPacked(packed, firstQuarterOf(day) - firstQuarter);
      const dayOfMonth = String(Number(day.slice(-2)));
      people[dayOfMonth] = (people[dayOfMonth] ?? 0) + ofDay;
      const estimate = sketch === null ? 0 : estimateVisitors([sketch]);
      if (estimate > 0) visitors[dayOfMonth] = (visitors[dayOfMonth] ?? 0) + estimate;
    }
    return { linkId, counts: counts.pack(), visitors, people };
  });
}

// A month is represented by its first day in UTC, such as 2026-11-01.

/** @param time Unix milliseconds */
export function monthOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 7)}-01`;
}

export function addMonths(month: string, count: number): string {
  const start = new Date(month);
  return monthOf(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + count));
}

function isMonthOver(month: string, days: number, now: number): boolean {
  return Date.parse(addMonths(month, 1)) + days * DAY_MS <= now;
}

const Nothing = z.object({});

type PartitionedTable = "clicks" | "monthly_clicks" | "user_clicks";

/** The months of the partitions of a table, such as 2026-11-01, oldest first. */
function findPartitionMonths(db: CommonQueryMethods, table: PartitionedTable) {
  return db.anyFirst(sql.type(z.object({ month: z.string() }))`
    SELECT replace(right(relname, 7), '_', '-') || '-01' AS month
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = ${table}::regclass ORDER BY month
  `);
}

async function dropPartition(db: CommonQueryMethods, table: PartitionedTable, month: string): Promise<void> {
  await db.query(sql.type(Nothing)`SELECT drop_click_partition(${table}, ${month}::text::date)`);
}

const isInMonth = (month: string) =>
  sql.fragment`day >= ${month}::text::date AND day < ${month}::text::date + interval '1 month'`;

/** At most `limit` links that have daily rows in a month, by id, after `afterId`. */
function findLinksOfMonth(
  db: CommonQueryMethods,
  month: string,
  { afterId, limit }: { afterId: number; limit: number },
) {
  return db.anyFirst(sql.type(z.object({ id: z.int() }))`
    SELECT link_id AS id FROM clicks
    WHERE ${isInMonth(month)} AND link_id > ${afterId}
    GROUP BY link_id ORDER BY link_id LIMIT ${limit}
  `);
}

function hasClicks(db: Db<"exists">, month: string) {
  return db.exists(sql.type(Nothing)`SELECT FROM clicks WHERE ${isInMonth(month)} LIMIT 1`);
}

/** Locks the links that still exist, so that none is deleted, and gets no clicks, before the transaction ends. */
function lockLinksById(transaction: CommonQueryMethods, ids: readonly number[]) {
  return transaction.anyFirst(sql.type(z.object({ id: z.int() }))`
    SELECT id FROM links WHERE id = ANY(${sql.array(ids, "int8")}) ORDER BY id FOR NO KEY UPDATE
  `);
}

function takeDays(transaction: CommonQueryMethods, month: string, linkIds: readonly number[]) {
  return transaction.any(sql.type(DayRow)`
    DELETE FROM clicks
    WHERE link_id = ANY(${sql.array(linkIds, "int8")})
      AND ${isInMonth(month)}
    RETURNING link_id AS id, day::text AS day, counts, visitors, people
  `);
}

const MonthRow = z.object({
  linkId: z.int(),
  counts: PackedCounts,
  /** Estimates, and people, by day of the month from "1". */
  visitors: z.record(z.string(), z.int()),
  people: z.record(z.string(), z.int()),
});
type MonthRow = z.infer<typeof MonthRow>;

function findMonthRows(transaction: CommonQueryMethods, month: string, linkIds: readonly number[]) {
  return transaction.any(sql.type(MonthRow)`
    SELECT link_id AS "linkId", counts, visitors, people FROM monthly_clicks
    WHERE link_id = ANY(${sql.array(linkIds, "int8")}) AND month = ${month}::text::date
  `);
}

async function upsertMonthRows(
  transaction: CommonQueryMethods,
  month: string,
  rows: readonly MonthRow[],
): Promise<void> {
  const values = rows.map(({ linkId, counts, visitors, people }) => [
    linkId,
    month,
    JSON.stringify(counts),
    JSON.stringify(visitors),
    JSON.stringify(people),
  ]);
  await transaction.query(sql.type(Nothing)`
    INSERT INTO monthly_clicks (link_id, month, counts, visitors, people)
    SELECT * FROM ${sql.unnest(values, ["int8", "date", "jsonb", "jsonb", "jsonb"])}
    ON CONFLICT (link_id, month) DO UPDATE
    SET counts = excluded.counts, visitors = excluded.visitors, people = excluded.people
  `);
}
