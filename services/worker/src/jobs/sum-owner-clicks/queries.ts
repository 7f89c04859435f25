import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import { DayRow } from "../../clicks/queries.ts";
import { MonthRow } from "../roll-up-clicks/queries.ts";
import type { LinkMonth, OwnerDay } from "./owner-day.ts";

const Nothing = z.object({});
const Day = z.object({ day: z.string() });
const Id = z.object({ id: z.int() });

/** The last day whose rows were inserted. */
export function findLastDay(db: CommonQueryMethods): Promise<string> {
  return db.oneFirst(sql.type(Day)`SELECT owner_days_until::text AS day FROM click_progress`);
}

export async function setLastDay(db: CommonQueryMethods, day: string): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE click_progress SET owner_days_until = ${day}::text::date
    WHERE owner_days_until < ${day}::text::date
  `);
}

/** Inserts a row that is to be added up for each user with at least `minLinks` links. */
export async function insertOwnerDays(
  db: CommonQueryMethods,
  { day, minLinks }: { day: string; minLinks: number },
): Promise<void> {
  await db.query(sql.type(Nothing)`
    INSERT INTO owner_clicks (user_id, day)
    SELECT user_id, ${day}::text::date FROM links WHERE user_id IS NOT NULL
    GROUP BY user_id HAVING count(*) >= ${minLinks}
    ON CONFLICT DO NOTHING
  `);
}

/** A user with days that are to be added up, the newest first, who is not among `skipped`; null if there is none. */
export function findPendingOwner(
  db: CommonQueryMethods,
  skipped: readonly number[],
): Promise<number | null> {
  return db.maybeOneFirst(sql.type(Id)`
    SELECT user_id AS id FROM owner_clicks
    WHERE counts IS NULL AND user_id <> ALL(${sql.array(skipped, "int4")})
    ORDER BY day DESC LIMIT 1
  `);
}

/** Waits for transactions that delete or claim links of the user, and makes others wait. */
export async function lockOwner(transaction: CommonQueryMethods, userId: number): Promise<void> {
  await transaction.query(sql.type(Nothing)`SELECT lock_owner_clicks(${userId}::int)`);
}

export function findPendingDays(
  transaction: CommonQueryMethods,
  userId: number,
  limit: number,
): Promise<readonly string[]> {
  return transaction.anyFirst(sql.type(Day)`
    SELECT day::text AS day FROM owner_clicks WHERE user_id = ${userId} AND counts IS NULL
    ORDER BY owner_clicks.day DESC LIMIT ${limit}
  `);
}

export function findLinkIds(
  transaction: CommonQueryMethods,
  userId: number,
): Promise<readonly number[]> {
  return transaction.anyFirst(sql.type(Id)`
    SELECT id FROM links WHERE user_id BETWEEN ${userId} AND ${userId}
  `);
}

interface LinkDays {
  linkIds: readonly number[];
  days: readonly string[];
}

export function findLinkDays(
  transaction: CommonQueryMethods,
  { linkIds, days }: LinkDays,
): Promise<readonly DayRow[]> {
  return transaction.any(sql.type(DayRow)`
    SELECT link_id AS "linkId", day::text AS day, counts, visitors FROM clicks
    WHERE link_id = ANY(${sql.array(linkIds, "int8")}) AND day = ANY(${sql.array(days, "date")})
  `);
}

const LinkMonthRow = z.extend(MonthRow, { month: z.string() });

/** The months of these days that were rolled up. */
export function findLinkMonths(
  transaction: CommonQueryMethods,
  { linkIds, days }: LinkDays,
): Promise<readonly LinkMonth[]> {
  const months = [...new Set(days.map((day) => `${day.slice(0, 7)}-01`))];
  return transaction.any(sql.type(LinkMonthRow)`
    SELECT link_id AS "linkId", month::text AS month, counts, visitors FROM monthly_clicks
    WHERE link_id = ANY(${sql.array(linkIds, "int8")}) AND month = ANY(${sql.array(months, "date")})
  `);
}

export async function updateOwnerDay(
  transaction: CommonQueryMethods,
  userId: number,
  { day, counts, sketch, rolledUpVisitors, links }: OwnerDay,
): Promise<void> {
  const totals = (name: keyof OwnerDay["links"][number]) =>
    sql.array(
      links.map((link) => link[name]),
      name === "linkId" ? "int8" : "int4",
    );
  await transaction.query(sql.type(Nothing)`
    UPDATE owner_clicks SET
      counts = ${JSON.stringify(counts)}::text::jsonb,
      visitors = ${sketch === null ? null : sql.binary(Buffer.from(sketch))},
      rolled_up_visitors = ${rolledUpVisitors},
      link_ids = ${totals("linkId")}, person = ${totals("person")}, preview = ${totals("preview")},
      bot = ${totals("bot")}, prefetch = ${totals("prefetch")}, assistant = ${totals("assistant")},
      opened = ${totals("opened")}, link_visitors = ${totals("visitors")}
    WHERE user_id = ${userId} AND day = ${day}::text::date
  `);
}
