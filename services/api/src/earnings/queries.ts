import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { EarningsRates } from "@tapthru/proto/earnings";
import { REPORT_KINDS, type ReportKind } from "@tapthru/proto/rules/earnings";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";

/** Days such as 2026-11-21; both are included. */
interface DayRange {
  from: string;
  to: string;
}

export interface OwnDays extends DayRange {
  userId: number;
}

export interface Part extends OwnDays {
  reportIds: number[];
}

const ROWS_PER_STATEMENT = 30_000;

const ReportDays = z.object({ id: z.int(), rowCount: z.int(), from: z.string(), to: z.string() });

/**
 * Reads a range in parts with at most about as many rows, if those of a report are spread over its days: some days of a large
 * report, or several small ones. A group may be in several parts. Tracking and daily-trends reports repeat what the others say,
 * and are not read.
 */
export async function inParts<Row>(
  db: Db<"any">,
  { from, to, userId }: OwnDays,
  read: (part: Part) => Promise<readonly Row[]>,
  rowsPerStatement: number = ROWS_PER_STATEMENT,
): Promise<Row[]> {
  const found = await db.any(sql.type(ReportDays)`
    SELECT id, row_count AS "rowCount", (begins + place)::text AS "from",
      least(begins + place + day_count - 1, ends)::text AS "to"
    FROM (
      SELECT id, row_count, greatest(first_day, ${from}::text::date) AS begins,
        least(last_day, ${to}::text::date) AS ends,
        greatest(1, ${rowsPerStatement}::int * (last_day - first_day + 1) / greatest(row_count, 1)) AS day_count
      FROM earnings_reports
      WHERE user_id = ${userId} AND kind IN ('orders', 'earnings', 'bounties')
        AND days && datemultirange(daterange(${from}::text::date, ${to}::text::date, '[]'))
    ) AS report CROSS JOIN generate_series(0, ends - begins, day_count) AS place
    ORDER BY row_count
  `);
  const parts: (Part & { rowCount: number })[] = [];
  for (const { id, rowCount, ...days } of found) {
    const last = parts.at(-1);
    if (rowCount > rowsPerStatement) {
      parts.push({ userId, reportIds: [id], rowCount, ...days });
    } else if (last === undefined || last.rowCount + rowCount > rowsPerStatement) {
      parts.push({ userId, reportIds: [id], rowCount, from, to });
    } else {
      last.reportIds.push(id);
      last.rowCount += rowCount;
    }
  }
  const rows: Row[] = [];
  for (const part of parts) for (const row of await read(part)) rows.push(row);
  return rows;
}

/** The day in UTC, such as 2026-11-21. @param time Unix milliseconds */
export const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10);

export const amounts = {
  earnings: z.int(),
  revenue: z.int(),
  ordered: z.int(),
  shipped: z.int(),
  returned: z.int(),
};

export const countingRows = ({ userId, from, to, reportIds }: Part): FragmentSqlToken => sql.fragment`
  earnings_rows AS item JOIN earnings_reports AS report ON report.id = item.report_id
  WHERE item.report_id = ANY(${sql.array(reportIds, "int8")})
    AND item.day BETWEEN ${from}::text::date AND ${to}::text::date
    AND report.user_id = ${userId} AND report.days @> item.day
`;

/** Orders are of orders reports alone, all else of the others, so that nothing counts twice. */
export const sums: FragmentSqlToken = sql.fragment`
  coalesce(sum(item.earnings) FILTER (WHERE report.kind <> 'orders'), 0) AS earnings,
  coalesce(sum(item.revenue) FILTER (WHERE report.kind <> 'orders'), 0) AS revenue,
  coalesce(sum(item.ordered) FILTER (WHERE report.kind = 'orders'), 0) AS ordered,
  coalesce(sum(item.shipped) FILTER (WHERE report.kind <> 'orders'), 0) AS shipped,
  coalesce(sum(item.returned) FILTER (WHERE report.kind <> 'orders'), 0) AS returned
`;

const KeyedSums = z.object({ key: z.string(), currency: z.string(), ...amounts });

/** `key` is the ASIN; empty: not said. */
export function sumByProduct(db: Db<"any">, range: OwnDays) {
  return inParts(db, range, (part) =>
    db.any(sql.type(KeyedSums)`
      SELECT item.asin AS key, report.currency, ${sums} FROM ${countingRows(part)} GROUP BY 1, 2
    `),
  );
}

const Named = z.object({ key: z.string(), name: z.string(), category: z.string() });

export function findProductNames(db: Db<"any">, userId: number, asins: readonly string[]) {
  return db.any(sql.type(Named)`
    SELECT asin AS key, name, category FROM earnings_products
    WHERE user_id = ${userId} AND asin = ANY(${sql.array(asins, "text")})
  `);
}

const CoveredDays = z.object({
  marketplace: z.string(),
  kind: z.enum(["orders", "earnings", "bounties"]),
  currency: z.string(),
  from: z.string(),
  to: z.string(),
});
export type CoveredDays = z.infer<typeof CoveredDays>;

export function findCoveredDays(db: Db<"any">, { userId, from, to }: OwnDays) {
  return db.any(sql.type(CoveredDays)`
    SELECT marketplace, kind, currency, lower(run)::text AS "from", (upper(run) - 1)::text AS "to"
    FROM (
      SELECT marketplace, kind, currency, range_agg(part) AS parts
      FROM earnings_reports CROSS JOIN unnest(days) AS part
      WHERE user_id = ${userId} AND kind IN ('orders', 'earnings', 'bounties')
      GROUP BY marketplace, kind, currency
    ) AS covered CROSS JOIN unnest(parts * datemultirange(daterange(${from}::text::date, ${to}::text::date, '[]'))) AS run
  `);
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
export function findMissingDays(
  db: Db<"maybeOne">,
  { userId, from }: OwnDays,
  today: string,
  stores?: readonly string[],
) {
  const isStore =
    stores === undefined ? sql.fragment`TRUE` : sql.fragment`marketplace = ANY(${sql.array(stores, "text")})`;
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

const Group = z.object({ id: z.int(), name: z.string() });

export function findChannelNames(db: Db<"any">, userId: number) {
  return db.any(sql.type(Group)`SELECT id, name FROM channels WHERE user_id = ${userId}`);
}

export function findLabelNames(db: Db<"any">, userId: number) {
  return db.any(sql.type(Group)`SELECT id, name FROM labels WHERE user_id = ${userId}`);
}

export async function findAsinsOfLinks(db: Db<"any">, linkIds: readonly number[]): Promise<string[]> {
  const ids = sql.array(linkIds, "int8");
  const rows = await db.any(sql.type(z.object({ asin: z.string() }))`
    SELECT asin FROM links WHERE id = ANY(${ids}) AND asin IS NOT NULL
    UNION SELECT asin FROM link_destinations WHERE link_id = ANY(${ids}) AND asin IS NOT NULL
  `);
  return rows.map(({ asin }) => asin);
}

const LinkLabel = z.object({ linkId: z.int(), labelId: z.int() });

export function findLabelsOfLinks(db: Db<"any">, userId: number, linkIds: readonly number[]) {
  return db.any(sql.type(LinkLabel)`
    SELECT link_id AS "linkId", label_id AS "labelId"
    FROM link_labels JOIN labels ON labels.id = label_id
    WHERE link_id = ANY(${sql.array(linkIds, "int8")}) AND user_id = ${userId}
  `);
}

const LinkName = z.object({
  id: z.int(),
  shortCode: z.string(),
  nickname: z.nullable(z.string()),
  title: z.nullable(z.string()),
  originalUrl: z.string(),
  marketplace: z.nullable(z.string()),
  asin: z.nullable(z.string()),
});

export function findLinkNames(db: Db<"any">, userId: number, linkIds: readonly number[]) {
  return db.any(sql.type(LinkName)`
    SELECT link.id, link.short_code AS "shortCode", link.nickname, coalesce(link.title, product.title, link.page_title) AS title,
      link.original_url AS "originalUrl", link.marketplace, link.asin
    FROM links AS link LEFT JOIN products AS product USING (canonical_url)
    WHERE link.id = ANY(${sql.array(linkIds, "int8")}) AND link.user_id = ${userId}
  `);
}

const KnownRates = z.object({
  currency: z.nullable(z.string()),
  rates: z.nullable(EarningsRates.shape.rates),
  usual: z.nullable(z.string()),
  day: z.nullable(z.string()),
  /** The value of one euro. */
  euros: z.nullable(z.record(z.string(), z.number())),
});

/** The rates of the user, and those of the European Central Bank on `day`, if they are read, for other currencies. */
export interface Rates {
  currency: string | null;
  rates: { currency: string; rate: number; day?: string }[];
  saved: EarningsRates & { referenceDay: string | null };
}

/** Without a currency of the user, that of most rows of their reports is theirs, if reference rates are read. */
export async function findRates(db: Db<"maybeOne">, userId: number): Promise<Rates> {
  const known = await db.maybeOne(sql.type(KnownRates)`
    SELECT own.currency, own.rates, day::text AS day, euros, (
      SELECT currency FROM earnings_reports WHERE user_id = ${userId} AND days <> '{}'
      GROUP BY 1 ORDER BY sum(row_count) DESC, 1 LIMIT 1
    ) AS usual
    FROM (SELECT max(day) AS day, jsonb_object_agg(currency, rate) AS euros FROM exchange_rates) AS reference
    LEFT JOIN earnings_rates AS own ON user_id = ${userId}
  `);
  const { usual = null, day = null, euros = null } = known ?? {};
  const saved = { currency: known?.currency ?? null, rates: known?.rates ?? [], referenceDay: day };
  const currency = saved.currency ?? (euros === null ? null : usual);
  const own = saved.currency === null ? [] : saved.rates;
  const worth = euros?.[currency ?? ""];
  if (worth === undefined || day === null) return { currency, rates: own, saved };
  const others = Object.entries(euros ?? {}).filter(([other]) => own.every((each) => each.currency !== other));
  return {
    currency,
    rates: [...own, ...others.map(([other, rate]) => ({ currency: other, rate: worth / rate, day }))],
    saved,
  };
}

/** The day of the reference rates with which one of the currencies is converted; null if none is. */
export const referenceDay = ({ currency, rates }: Rates, currencies: readonly string[]) =>
  rates.find((each) => each.day && each.currency !== currency && currencies.includes(each.currency))?.day ?? null;
