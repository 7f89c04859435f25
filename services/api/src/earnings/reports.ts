import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { ReportDays } from "@tapthru/proto/earnings";
import { invalidQuery } from "@tapthru/proto/general-errors";
import {
  type Comparison,
  comparedDays,
  countedDays,
  type Days,
  dayAt,
  daysBefore,
  daysBetween,
  earlier,
  KINDS_OF,
  plusDays,
} from "@tapthru/proto/rules/days";
import { REPORT_KINDS, type ReportKind } from "@tapthru/proto/rules/earnings";
import { CLICKS_MAX_DAYS } from "@tapthru/proto/rules/limits";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { ApiError, malformedField } from "../http/errors.ts";

/** Days of a user, such as 2026-11-21; both are included. `only`: those of them that count, if not all that reports have. */
export interface OwnDays extends Days {
  userId: number;
  only?: readonly CoveredPart[] | undefined;
}

/** A condition on the rows of a user on these days. */
export const isOwn = ({ userId, from, to }: OwnDays): FragmentSqlToken => sql.fragment`
  user_id = ${userId} AND day BETWEEN ${from}::text::date AND ${to}::text::date
`;

/** The rows of reports that count on these days. */
export const countedSales = (days: OwnDays): FragmentSqlToken => sql.fragment`
  counted_earnings WHERE ${isOwn(days)} AND ${
    days.only === undefined
      ? sql.fragment`true`
      : sql.fragment`EXISTS (
          SELECT FROM ${partsOf(days.only)} WHERE (part.marketplace, part.store_id, part.kind)
            = (counted_earnings.marketplace, counted_earnings.store_id, counted_earnings.kind) AND counted_earnings.day <@ part.days
        )`
  }
`;

/** What reports cover: `marketplace`, `currency`, and days that count for a figure of KINDS_OF. */
export const coveredStores = (covered: readonly CoveredPart[]): FragmentSqlToken => {
  const days = Object.entries(KINDS_OF).map(
    ([figure, kinds]) => sql.fragment`
      range_agg(days) FILTER (WHERE kind = ANY(${sql.array(kinds, "text")})) AS ${sql.identifier([figure])}`,
  );
  return sql.fragment`SELECT marketplace, currency, ${sql.join(days, sql.fragment`, `)} FROM ${partsOf(covered)} GROUP BY 1, 2`;
};

function partsOf(covered: readonly CoveredPart[]): FragmentSqlToken {
  const rows = covered.map((part) => [part.marketplace, part.storeId, part.currency, part.kind, part.from, part.to]);
  return sql.fragment`(
    SELECT marketplace, store_id, currency, kind, daterange("from"::date, "to"::date, '[]') AS days
    FROM ${sql.unnest(rows, ["text", "text", "text", "text", "text", "text"])} AS part (marketplace, store_id, currency, kind, "from", "to")
  ) AS part`;
}

/** What is asked for: days, and with what they are compared. */
interface PeriodQuery extends Partial<Record<"from" | "to" | "since" | "until", string | undefined>> {
  days?: number;
  against?: Comparison | undefined;
}

export interface Period {
  /** The last day that was asked for. */
  end: string;
  /** Those that count. */
  days: OwnDays;
  covered: readonly CoveredPart[];
  /** The days before, and what reports cover of them. */
  before: { days: OwnDays & { only: CoveredPart[] }; covered: readonly CoveredPart[] } | null;
}

/** @throws ApiError if a range is empty or too long */
export async function findPeriod(db: Db<"any" | "oneFirst">, userId: number, query: PeriodQuery): Promise<Period> {
  const { against, since, until } = query;
  const end = (query.to === "reported" ? await findReportedEnd(db, userId) : query.to) ?? dayAt(Date.now());
  const range = { from: query.from ?? plusDays(end, 1 - (query.days ?? DEFAULT_DAYS)), to: end };
  checkRange(range);
  const found = await findCovered(db, { userId, ...range });
  const { to, covered } = countedDays(range, found);
  const days = { userId, from: range.from, to };
  const before =
    since === undefined || until === undefined
      ? against && daysBefore(days, against)
      : { from: since, to: to === range.to ? until : earlier(until, plusDays(since, daysBetween(range.from, to))) };
  if (before === undefined) return { end, days, covered, before: null };
  checkRange(before);
  const ofBefore = await findCovered(db, { userId, ...before });
  const only = comparedDays(days, before, covered);
  return { end, days, covered, before: { days: { userId, ...before, only }, covered: ofBefore } };
}

const DEFAULT_DAYS = 30;

function checkRange({ from, to }: Days): void {
  if (from > to || daysBetween(from, to) >= CLICKS_MAX_DAYS) {
    throw new ApiError(invalidQuery, { message: malformedField("from") });
  }
}

/** What reports cover of days, by store, account, currency and kind. */
function findCovered(db: Db<"any">, { userId, from, to }: OwnDays) {
  return db.any(sql.type(CoveredPart)`
    SELECT marketplace, store_id AS "storeId", currency, kind, lower(part)::text AS "from", (upper(part) - 1)::text AS "to"
    FROM (
      SELECT marketplace, store_id, currency, kind, range_agg(part) AS days
      FROM earnings_reports CROSS JOIN unnest(days * datemultirange(daterange(${from}::text::date, ${to}::text::date, '[]'))) AS part
      WHERE user_id = ${userId} AND kind IN ('orders', 'earnings', 'bounties') GROUP BY 1, 2, 3, 4
    ) AS covered CROSS JOIN unnest(days) AS part ORDER BY currency
  `);
}

const CoveredPart = z.object({
  marketplace: z.string(),
  storeId: z.string(),
  currency: z.string(),
  kind: z.enum(REPORT_KINDS),
  from: z.string(),
  to: z.string(),
});
export type CoveredPart = z.infer<typeof CoveredPart>;

/** Finds which days the figures of a period are of. @param stores of the figures, if not all */
export async function findReportDays(
  db: Db<"maybeOne" | "oneFirst">,
  { days, covered }: Period,
  stores: readonly string[] | null,
): Promise<ReportDays> {
  const { from, to, userId } = days;
  const [reportedUntil, missing] = await Promise.all([
    findReportedUntil(db, userId),
    findMissingDays(db, days, dayAt(Date.now()), stores),
  ]);
  const ofStores = covered.filter(({ marketplace }) => stores?.includes(marketplace) ?? true);
  return { from, to, reportedUntil, stores: storesUntil(ofStores), missing };
}

/** The stores whose reports cover days, and the last such days of earnings and of orders. */
function storesUntil(covered: readonly CoveredPart[]): ReportDays["stores"] {
  return Array.from(
    Map.groupBy(covered, ({ marketplace }) => marketplace),
    ([marketplace, ofStore]) => {
      const until = (kinds: readonly ReportKind[]) => lastOf(ofStore.filter(({ kind }) => kinds.includes(kind)));
      return { marketplace, earningsUntil: until(KINDS_OF.earnings), ordersUntil: until(KINDS_OF.ordered) };
    },
  );
}

const lastOf = (parts: readonly Days[]) =>
  parts
    .map(({ to }) => to)
    .sort()
    .at(-1) ?? null;

/** The day with which a range ends that is to end with the reports: that of earnings, or else of orders. */
const findReportedEnd = async (db: Db<"oneFirst">, userId: number) =>
  (await findReportedUntil(db, userId, KINDS_OF.earnings)) ?? findReportedUntil(db, userId, KINDS_OF.ordered);

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
