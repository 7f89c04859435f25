import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { PackedCounts } from "@tapthru/proto/clicks/packed-counts";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import { DayRow } from "../../clicks/queries.ts";

const Nothing = z.object({});

export type PartitionedTable = "clicks" | "monthly_clicks" | "user_clicks";

/** The months of the partitions of a table, such as 2026-11-01, oldest first. */
export function findPartitionMonths(db: CommonQueryMethods, table: PartitionedTable) {
  return db.anyFirst(sql.type(z.object({ month: z.string() }))`
    SELECT replace(right(relname, 7), '_', '-') || '-01' AS month
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = ${table}::regclass ORDER BY month
  `);
}

export async function dropPartition(
  db: CommonQueryMethods,
  table: PartitionedTable,
  month: string,
): Promise<void> {
  await db.query(sql.type(Nothing)`SELECT drop_click_partition(${table}, ${month}::text::date)`);
}

const isInMonth = (month: string) =>
  sql.fragment`day >= ${month}::text::date AND day < ${month}::text::date + interval '1 month'`;

/** At most `limit` links that have daily rows in a month, by id, after `afterId`. */
export function findLinksOfMonth(
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

/** Whether a month has daily rows. */
export function hasClicks(db: Db<"exists">, month: string) {
  return db.exists(sql.type(Nothing)`SELECT FROM clicks WHERE ${isInMonth(month)} LIMIT 1`);
}

/** Locks the links that still exist, so that none is deleted before the transaction ends. */
export function lockLinksById(transaction: CommonQueryMethods, ids: readonly number[]) {
  return transaction.anyFirst(sql.type(z.object({ id: z.int() }))`
    SELECT id FROM links WHERE id = ANY(${sql.array(ids, "int8")}) ORDER BY id FOR KEY SHARE
  `);
}

/** Deletes and returns the daily rows of links in a month. */
export function takeDays(
  transaction: CommonQueryMethods,
  month: string,
  linkIds: readonly number[],
) {
  return transaction.any(sql.type(DayRow)`
    DELETE FROM clicks
    WHERE link_id = ANY(${sql.array(linkIds, "int8")})
      AND ${isInMonth(month)}
    RETURNING link_id AS id, day::text AS day, counts, visitors, people
  `);
}

export const MonthRow = z.object({
  linkId: z.int(),
  counts: PackedCounts,
  /** Estimates, and people, by day of the month from "1". */
  visitors: z.record(z.string(), z.int()),
  people: z.record(z.string(), z.int()),
});
export type MonthRow = z.infer<typeof MonthRow>;

export function findMonthRows(
  transaction: CommonQueryMethods,
  month: string,
  linkIds: readonly number[],
) {
  return transaction.any(sql.type(MonthRow)`
    SELECT link_id AS "linkId", counts, visitors, people FROM monthly_clicks
    WHERE link_id = ANY(${sql.array(linkIds, "int8")}) AND month = ${month}::text::date
  `);
}

export async function upsertMonthRows(
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
