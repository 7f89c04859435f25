import { allOrEachItem, attemptItem } from "@tapthru/core/platform/failed-items";
import { UnpackedCounts } from "@tapthru/proto/clicks/packed-counts";
import { firstQuarterOf } from "@tapthru/proto/clicks/quarters";
import { estimateVisitors } from "@tapthru/proto/clicks/visitor-sketch";
import type { CommonQueryMethods } from "slonik";
import type { App, Stoppable } from "../../app.ts";
import { acquireClicksLock, createPartitions, type DayRow } from "../../clicks/queries.ts";
import { moveClicks } from "./move-clicks.ts";
import {
  dropPartition,
  findLinksOfMonth,
  findMonthRows,
  findPartitionMonths,
  hasClicks,
  lockLinksById,
  type MonthRow,
  type PartitionedTable,
  takeDays,
  upsertMonthRows,
} from "./queries.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Links per transaction. Clicks that arrive wait until it ends. */
const LINKS_PER_BATCH = 200;

type MergeApp = Pick<App, "db" | "clickRetention" | "logger">;

/** Merges clicks in Postgres, or moves them to ClickHouse. */
export function rollUpClicks(
  { clickHouse, ...app }: MergeApp & Pick<App, "clickHouse">,
  _payload: object,
  { signal }: Stoppable,
  now: number = Date.now(),
): Promise<void> {
  if (clickHouse !== null) return moveClicks({ ...app, clickHouse }, signal);
  return mergeMonths(app, signal, now);
}

/**
 * Merges the daily rows of links in each past month into one row for each link. No detail is lost: the row has every
 * quarter-hour. Then drops the month's partition, and those of months that are no longer kept.
 */
async function mergeMonths(
  { db, clickRetention, logger }: MergeApp,
  signal: AbortSignal,
  now: number,
): Promise<void> {
  const month = monthOf(now);
  for (const next of [month, addMonths(month, 1)]) await createPartitions(db, next);

  const loop = { db, logger, kind: "roll-up-clicks", signal };
  const drop = (table: PartitionedTable, past: string) =>
    attemptItem({ ...loop, kind: "drop-click-partitions" }, `${table} ${past}`, () =>
      dropPartition(db, table, past),
    );
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

function rollUpLinks(
  db: CommonQueryMethods,
  month: string,
  found: readonly number[],
): Promise<void> {
  return db.transaction(async (transaction) => {
    await acquireClicksLock(transaction);
    const existing = await lockLinksById(transaction, found);
    const days = await takeDays(transaction, month, found);
    const kept = days.filter(({ id }) => existing.includes(id));
    const current = await findMonthRows(transaction, month, existing);
    if (kept.length > 0) await upsertMonthRows(transaction, month, mergeDays(month, kept, current));
  });
}

function mergeDays(
  month: string,
  days: readonly DayRow[],
  current: readonly MonthRow[],
): MonthRow[] {
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

/** Whether the month ended at least this many days before `now`. */
function isMonthOver(month: string, days: number, now: number): boolean {
  return Date.parse(addMonths(month, 1)) + days * DAY_MS <= now;
}
