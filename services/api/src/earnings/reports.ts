import { clickRange } from "@tapthru/core/clicks/click-range";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { ReportDays } from "@tapthru/proto/earnings";
import { invalidQuery } from "@tapthru/proto/general-errors";
import { REPORT_KINDS, type ReportKind } from "@tapthru/proto/rules/earnings";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { ApiError, malformedField } from "../http/errors.ts";

/** Days of a user, such as 2026-11-21; both are included. */
export interface OwnDays {
  userId: number;
  from: string;
  to: string;
}

/** A condition on the rows of a user on these days. */
export const isOwn = ({ userId, from, to }: OwnDays): FragmentSqlToken => sql.fragment`
  user_id = ${userId} AND day BETWEEN ${from}::text::date AND ${to}::text::date
`;

/** The day in UTC, such as 2026-11-21. @param time Unix milliseconds */
export const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10);

/** @throws ApiError if the range is empty or too long */
export async function earningsRange(
  db: Db<"oneFirst">,
  userId: number,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<OwnDays> {
  const end = to === "reported" ? await findReportedUntil(db, userId, ["earnings", "bounties"]) : to;
  const range = clickRange({ from, to: end ?? undefined, tz: "UTC", interval: "day" }, Date.now());
  if (range === null) throw new ApiError(invalidQuery, { message: malformedField("from") });
  return { userId, from: dayAt(range.from), to: dayAt(range.to - 1) };
}

const CoveredStore = z.object({
  marketplace: z.string(),
  currency: z.string(),
  earningsUntil: z.nullable(z.string()),
  ordersUntil: z.nullable(z.string()),
});
type CoveredStore = z.infer<typeof CoveredStore>;

/** Finds the stores and currencies of the reports on these days, and their last day with earnings and with orders. */
export function findCoveredStores(db: Db<"any">, { userId, from, to }: OwnDays) {
  return db.any(sql.type(CoveredStore)`
    SELECT marketplace, currency, (upper(earnings) - 1)::text AS "earningsUntil", (upper(ordered) - 1)::text AS "ordersUntil"
    FROM covered_earnings(${userId}, ${from}::text::date, ${to}::text::date) ORDER BY currency
  `);
}

export const lastOf = (days: readonly (string | null)[]) => days.toSorted().findLast((day) => day !== null) ?? null;

/** Finds which days the figures of a range are of. @param stores of the figures, if not all */
export async function findReportDays(
  db: Db<"maybeOne" | "oneFirst">,
  days: OwnDays,
  covered: readonly CoveredStore[],
  stores: readonly string[] | null,
): Promise<ReportDays> {
  const [reportedUntil, missing] = await Promise.all([
    findReportedUntil(db, days.userId),
    findMissingDays(db, days, dayAt(Date.now()), stores),
  ]);
  return {
    from: days.from,
    to: days.to,
    reportedUntil,
    earningsUntil: lastOf(covered.map(({ earningsUntil }) => earningsUntil)),
    ordersUntil: lastOf(covered.map(({ ordersUntil }) => ordersUntil)),
    missing,
  };
}

/** The last day of any stored report, or of those of some kinds; null without one. */
export function findReportedUntil(db: Db<"oneFirst">, userId: number, kinds: readonly ReportKind[] = REPORT_KINDS) {
  return db.oneFirst(sql.type(z.object({ day: z.nullable(z.string()) }))`
    SELECT (max(upper(days)) - 1)::text AS day FROM earnings_reports
    WHERE user_id = ${userId} AND kind = ANY(${sql.array(kinds, "text")})
  `);
}

/** A report may be as old, in days. */
const MAX_AGE = 7;
/** A store whose reports ended as many days before those of another is one that the user gave up. */
const GIVEN_UP_AFTER = 92;

const MissingDays = z.object({ marketplace: z.string(), from: z.string(), to: z.string() });

/** The first days since `from`, before today, that the earnings reports of some stores, or of any, lack; null: none older than a week. */
function findMissingDays(
  db: Db<"maybeOne">,
  { userId, from }: OwnDays,
  today: string,
  stores: readonly string[] | null,
) {
  const isStore = stores === null ? sql.fragment`TRUE` : sql.fragment`marketplace = ANY(${sql.array(stores, "text")})`;
  return db.maybeOne(sql.type(MissingDays)`
    WITH stored AS (
      SELECT marketplace, range_agg(part) AS days FROM earnings_reports CROSS JOIN unnest(days) AS part
      WHERE user_id = ${userId} AND kind = 'earnings' GROUP BY marketplace
    )
    SELECT marketplace, lower(gap)::text AS "from", (upper(gap) - 1)::text AS "to"
    FROM stored CROSS JOIN unnest(
      datemultirange(daterange(least(greatest(lower(days), ${from}::text::date), ${today}::text::date), ${today}::text::date)) - days
    ) AS gap
    WHERE ${isStore} AND lower(gap) < ${today}::text::date - ${MAX_AGE}::int
      AND upper(days) > (SELECT max(upper(days)) FROM stored) - ${GIVEN_UP_AFTER}::int
    ORDER BY lower(gap), upper(days), marketplace LIMIT 1
  `);
}
