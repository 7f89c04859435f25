import { EarningsRates } from "@tapthru/proto/http/earnings";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";

const Nothing = z.object({});
const DAY_MS = 86_400_000;

/** Days such as 2026-11-21; both are included. */
interface DayRange {
  from: string;
  to: string;
}

export interface OwnDays extends DayRange {
  userId: number;
}

const DAYS_PER_STATEMENT = 16;

/** Reads a range in parts, so that no statement takes long. A group may be in several parts. */
async function inParts<Row>(
  { from, to, userId }: OwnDays,
  read: (part: OwnDays) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  const last = Date.parse(to);
  for (let first = Date.parse(from); first <= last; first += DAYS_PER_STATEMENT * DAY_MS) {
    const end = Math.min(last, first + (DAYS_PER_STATEMENT - 1) * DAY_MS);
    const part = { userId, from: dayAt(first), to: dayAt(end) };
    for (const row of await read(part)) rows.push(row);
  }
  return rows;
}

/** The day in UTC, such as 2026-11-21. @param time Unix milliseconds */
export const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10);

const amounts = {
  earnings: z.int(),
  revenue: z.int(),
  ordered: z.int(),
  shipped: z.int(),
  returned: z.int(),
};

/**
 * The rows that count on these days, each as `item` with its `report`. Tracking and daily-trends reports repeat what the others
 * say, and are not read.
 */
const countingRows = ({ userId, from, to }: OwnDays): FragmentSqlToken => sql.fragment`
  earnings_reports AS report
  CROSS JOIN LATERAL unnest(report.days * datemultirange(daterange(${from}::text::date, ${to}::text::date, '[]'))) AS span
  JOIN earnings_rows AS item
    ON item.report_id = report.id AND item.day >= lower(span) AND item.day < upper(span)
  WHERE report.user_id = ${userId} AND report.kind IN ('orders', 'earnings', 'bounties')
`;

/** Orders are of orders reports alone, all else of the others, so that nothing counts twice. */
const sums: FragmentSqlToken = sql.fragment`
  coalesce(sum(item.earnings) FILTER (WHERE report.kind <> 'orders'), 0) AS earnings,
  coalesce(sum(item.revenue) FILTER (WHERE report.kind <> 'orders'), 0) AS revenue,
  coalesce(sum(item.ordered) FILTER (WHERE report.kind = 'orders'), 0) AS ordered,
  coalesce(sum(item.shipped) FILTER (WHERE report.kind <> 'orders'), 0) AS shipped,
  coalesce(sum(item.returned) FILTER (WHERE report.kind <> 'orders'), 0) AS returned
`;

const SalesRow = z.object({
  marketplace: z.string(),
  currency: z.string(),
  tag: z.string(),
  asin: z.string(),
  isDirect: z.nullable(z.boolean()),
  ...amounts,
});
export type SalesRow = z.infer<typeof SalesRow>;

/**
 * Sales by tracking id and product.
 * @param asins those by which sales can be matched; all others have an empty `asin`
 */
export function findSales(db: Db<"any">, range: OwnDays, asins: readonly string[]) {
  return inParts(range, (part) =>
    db.any(sql.type(SalesRow)`
      SELECT report.marketplace, report.currency, lower(item.tag) AS tag, ${known(asins)} AS asin,
        item.is_direct AS "isDirect", ${sums}
      FROM ${countingRows(part)} GROUP BY 1, 2, 3, 4, 5
    `),
  );
}

const DaySalesRow = z.extend(SalesRow, { day: z.string() });

/** The same of some products and tracking ids, by day. */
export function findSalesByDay(
  db: Db<"any">,
  range: OwnDays,
  { asins, tags }: { asins: readonly string[]; tags: readonly string[] },
) {
  return inParts(range, (part) =>
    db.any(sql.type(DaySalesRow)`
      SELECT item.day::text AS day, report.marketplace, report.currency, lower(item.tag) AS tag,
        ${known(asins)} AS asin, item.is_direct AS "isDirect", ${sums}
      FROM ${countingRows(part)} AND (
        item.asin = ANY(${sql.array(asins, "text")})
        OR lower(item.tag) = ANY(${sql.array(tags, "text")})
      )
      GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1
    `),
  );
}

const known = (asins: readonly string[]) => sql.fragment`
  CASE WHEN item.asin IN (SELECT unnest(${sql.array(asins, "text")})) THEN item.asin ELSE '' END
`;

const KeyedSums = z.object({ key: z.string(), currency: z.string(), ...amounts });

export function sumByDay(db: Db<"any">, range: OwnDays) {
  return inParts(range, (part) =>
    db.any(sql.type(KeyedSums)`
      SELECT item.day::text AS key, report.currency, ${sums} FROM ${countingRows(part)} GROUP BY 1, 2
    `),
  );
}

/** `key` is the ASIN; empty: not said. */
export function sumByProduct(db: Db<"any">, range: OwnDays) {
  return inParts(range, (part) =>
    db.any(sql.type(KeyedSums)`
      SELECT item.asin AS key, report.currency, ${sums} FROM ${countingRows(part)} GROUP BY 1, 2
    `),
  );
}

const Named = z.object({ key: z.string(), name: z.string() });

export function findProductNames(db: Db<"any">, userId: number, asins: readonly string[]) {
  return db.any(sql.type(Named)`
    SELECT asin AS key, name FROM earnings_products
    WHERE user_id = ${userId} AND asin = ANY(${sql.array(asins, "text")})
  `);
}

/** The last day of any stored report; null without one. */
export function findReportedUntil(db: Db<"oneFirst">, userId: number) {
  return db.oneFirst(sql.type(z.object({ day: z.nullable(z.string()) }))`
    SELECT (max(upper(days)) - 1)::text AS day FROM earnings_reports WHERE user_id = ${userId}
  `);
}

const Group = z.object({ id: z.int(), name: z.string() });

export function findChannelNames(db: Db<"any">, userId: number) {
  return db.any(sql.type(Group)`SELECT id, name FROM channels WHERE user_id = ${userId}`);
}

export function findLabelNames(db: Db<"any">, userId: number) {
  return db.any(sql.type(Group)`SELECT id, name FROM labels WHERE user_id = ${userId}`);
}

const LabelledLinks = z.object({ labelId: z.int(), linkIds: z.array(z.int()) });

export function findLinksOfLabels(db: Db<"any">, userId: number) {
  return db.any(sql.type(LabelledLinks)`
    SELECT id AS "labelId", jsonb_agg(link_id) AS "linkIds"
    FROM labels JOIN link_labels ON label_id = id WHERE user_id = ${userId} GROUP BY id
  `);
}

const LinkName = z.object({
  id: z.int(),
  nickname: z.nullable(z.string()),
  title: z.nullable(z.string()),
  originalUrl: z.string(),
});

/** What the names of some links of the user are made of. */
export function findLinkNames(db: Db<"any">, userId: number, linkIds: readonly number[]) {
  return db.any(sql.type(LinkName)`
    SELECT link.id, link.nickname, coalesce(link.title, product.title, link.page_title) AS title,
      link.original_url AS "originalUrl"
    FROM links AS link LEFT JOIN products AS product USING (canonical_url)
    WHERE link.id = ANY(${sql.array(linkIds, "int8")}) AND link.user_id = ${userId}
  `);
}

export async function findRates(db: Db<"maybeOne">, userId: number): Promise<EarningsRates> {
  const saved = await db.maybeOne(sql.type(EarningsRates)`
    SELECT currency, rates FROM earnings_rates WHERE user_id = ${userId}
  `);
  return saved ?? { currency: null, rates: [] };
}

export async function upsertRates(db: Db<"query">, userId: number, saved: EarningsRates) {
  await db.query(sql.type(Nothing)`
    INSERT INTO earnings_rates (user_id, currency, rates)
    VALUES (${userId}, ${saved.currency}, ${sql.jsonb([...saved.rates])})
    ON CONFLICT (user_id) DO UPDATE SET currency = excluded.currency, rates = excluded.rates
  `);
}
