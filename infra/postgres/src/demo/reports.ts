import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import type { ReportKind } from "@tapthru/proto/rules/earnings";
import type pg from "pg";
import { dayAgo, type Random, type Visits } from "./visits.ts";

/** Products that visitors bought although no link leads to them. */
const OTHER_PRODUCTS = ["B0DEMOCUP1", "B0DEMOBAG1"];

const FAILING_TAG = "demotube-21";

/** Lately Amazon pays half as much for it. */
const CUT_PRODUCT = "B09B8V1LZ3";
const CUT_DAYS_AGO = 45;

interface Sale {
  day: string;
  tag: string;
  asin?: string;
  is_direct?: boolean;
  earnings?: number;
  revenue?: number;
  ordered?: number;
  shipped?: number;
  returned?: number;
  clicks?: number;
}

interface ReportsInput {
  userId: number;
  marketplace: Marketplace;
  period: readonly string[];
  visited: readonly Visits[];
  random: Random;
  /** True if no later report follows. */
  isLast: boolean;
}

export async function insertReports(client: pg.Client, input: ReportsInput): Promise<void> {
  const { userId, marketplace, period, visited, random, isLast } = input;
  const [first = "", last = ""] = [period.at(0), period.at(-1)];
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO earnings_imports (user_id, file_name, state, marketplace, created_at, stored_at)
     VALUES ($1, $2, 'stored', $3, $4::date + 1, $4::date + 1) RETURNING id`,
    [userId, `amazon.${marketplace} ${first}.zip`, marketplace, last],
  );
  const orders = visited.flatMap((each) => ordersOf(each, random));
  const half = Math.ceil(period.length / 2);
  for (const [kind, days, sales] of [
    ["orders", period, orders.map(({ earnings: _e, revenue: _r, shipped: _s, returned: _b, ...order }) => order)],
    ["earnings", period, orders.map(({ ordered: _, ...sale }) => sale)],
    ["tracking", period.slice(0, half), tracked(visited, period.slice(0, half), { random, isLast: false })],
    ["tracking", period.slice(half), tracked(visited, period.slice(half), { random, isLast })],
  ] satisfies [ReportKind, readonly string[], Sale[]][]) {
    await client.query(
      `WITH report AS (
         INSERT INTO earnings_reports (import_id, user_id, marketplace, store_id, file_name, kind, first_day,
           last_day, currency, row_count, sums)
         SELECT $1, $2, $3, '', $4, $5, $6, $7, $8, count(*), jsonb_build_object('earnings', sum(earnings),
           'revenue', sum(revenue), 'ordered', sum(ordered), 'shipped', sum(shipped), 'returned', sum(returned),
           'clicks', sum(clicks))
         FROM jsonb_populate_recordset(NULL::earnings_rows, $9) RETURNING id
       )
       INSERT INTO earnings_rows
       SELECT report.id, day, tag, coalesce(asin, ''), is_direct, earnings, revenue, ordered, shipped, returned, clicks
       FROM report, jsonb_populate_recordset(NULL::earnings_rows, $9)`,
      [
        rows[0]?.id,
        userId,
        marketplace,
        `${kind} ${days.at(0)}.csv`,
        kind,
        days.at(0),
        days.at(-1),
        MARKETPLACES[marketplace].currency,
        JSON.stringify(sales),
      ],
    );
    await client.query("SELECT calculate_earnings_days($1, $2, '', $3)", [userId, marketplace, kind]);
  }
}

/** Some people buy what the link leads to, and some something else; few send it back. */
function ordersOf({ link: { tag, asin, price }, day, people }: Visits, random: Random): Sale[] {
  const sale = (count: number, product: string, amount: number, isDirect: boolean): Sale[] => {
    if (count === 0) return [];
    const returned = random() < 0.05 ? 1 : 0;
    const revenue = amount * (count - returned);
    const isCut = product === CUT_PRODUCT && day >= dayAgo(CUT_DAYS_AGO);
    const earnings = Math.round(revenue * (isCut ? 0.02 : 0.04));
    const amounts = { earnings, revenue, ordered: count, shipped: count - returned, returned };
    return [{ day, tag, asin: product, is_direct: isDirect, ...amounts }];
  };
  const direct = asin === "" ? 0 : Math.floor(people * 0.04 + random());
  const other = Math.floor(people * 0.02 + random() * 0.7);
  const product = OTHER_PRODUCTS[Math.floor(random() * OTHER_PRODUCTS.length)] ?? "";
  return [...sale(direct, asin, price, true), ...sale(other, product, 2_390, false)];
}

/** Amazon counts fewer clicks than there are people, and lately far fewer of one channel. */
function tracked(
  visited: readonly Visits[],
  days: readonly string[],
  { random, isLast }: { random: Random; isLast: boolean },
): Sale[] {
  const byTag = Map.groupBy(
    visited.filter(({ day }) => days.includes(day)),
    ({ link: each }) => each.tag,
  );
  return [...byTag].map(([tag, ofTag]) => ({
    day: days[0] ?? "",
    tag,
    clicks: Math.round(
      ofTag.reduce((sum, { people }) => sum + people, 0) *
        (isLast && tag === FAILING_TAG ? 0.4 : 0.82 + random() * 0.08),
    ),
  }));
}
