import { setImmediate } from "node:timers/promises";
import { findRateChange, paysRate } from "@tapthru/core/earnings/rate-changes";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { listRateChanges, RateChange } from "@tapthru/proto/earnings";
import { displayName } from "@tapthru/proto/rules/display-name";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { EarningsDependencies } from "./earnings-table.ts";
import * as queries from "./queries.ts";

const RANGE_DAYS = 365;
const DAY_MS = 86_400_000;
/** Sold items of the products that are looked at, those with the most first. */
const ITEMS_MAX_COUNT = 5_000;
const LINKS_MAX_COUNT = 1_000;
/** Of a change. */
const SHOWN_LINKS_MAX_COUNT = 10;

const SaleRow = z.object({
  marketplace: z.string(),
  currency: z.string(),
  isDirect: z.nullable(z.boolean()),
  product: z.string(),
  day: z.string(),
  earnings: z.int(),
  revenue: z.int(),
  shipped: z.int(),
  returned: z.int(),
});

/** Category: empty if it is unknown. */
type Sale = z.infer<typeof SaleRow> & { category: string };
type RateChanges = z.infer<(typeof listRateChanges.replies)[200]>;

/** A change that a wider level shows is not repeated by its products. */
const LEVELS = [
  ["store", ({ marketplace }) => marketplace],
  ["category", ({ category }) => category],
  ["product", ({ product }) => product],
] as const satisfies [RateChange["level"], (sale: Sale) => string][];

/** Changes of the last year of reports, with the links that they concern. */
export async function findRateChanges(
  { db, publicBaseUrl }: Pick<EarningsDependencies, "db" | "publicBaseUrl">,
  userId: number,
): Promise<RateChanges> {
  const to = await queries.findReportedUntil(db, userId, ["earnings"]);
  if (to === null) return { hasRevenue: true, changes: [] };
  const range = { userId, from: queries.dayAt(Date.parse(to) - (RANGE_DAYS - 1) * DAY_MS), to };
  const sums = await queries.sumByProduct(db, range);
  const hasRevenue = sums.some(({ revenue }) => revenue > 0) || sums.every(({ shipped }) => shipped === 0);
  const asins = mostSold(sums);
  const named = new Map((await queries.findProductNames(db, userId, asins)).map((each) => [each.key, each]));
  const sales = (await findRatedSales(db, range, asins)).map((sale) => {
    return { ...sale, category: named.get(sale.product)?.category ?? "" };
  });
  const claimed = new Set<string>();
  const found: (Omit<RateChange, "name" | "links" | "unchanged"> & { products: string[]; others: string[] })[] = [];
  for (const [level, keyOf] of LEVELS) {
    const seriesOf = (sale: Sale) => JSON.stringify([sale.marketplace, sale.isDirect, keyOf(sale)]);
    for (const ofSeries of Map.groupBy(sales, seriesOf).values()) {
      await setImmediate();
      const [first] = ofSeries;
      const change = findRateChange(ofSeries);
      if (!first || !change || (level !== "product" && (change.products.length < 2 || keyOf(first) === ""))) continue;
      const { marketplace, currency, isDirect, product, category } = first;
      const { day, before, after, products, lost } = change;
      const claims = products.map((each) => JSON.stringify([marketplace, isDirect, each, before, after]));
      if (claims.every((claim) => claimed.has(claim))) continue;
      for (const claim of claims) claimed.add(claim);
      const similar = sales.filter(
        (sale) =>
          sale.marketplace === marketplace &&
          sale.isDirect === isDirect &&
          !products.includes(sale.product) &&
          (level === "store" || sale.category === category),
      );
      const others = Map.groupBy(similar, (sale) => sale.product);
      const days = 1 + (Date.parse(to) - Date.parse(day)) / DAY_MS;
      found.push({
        ...{ level, marketplace, currency, isDirect, day, before, after, products },
        asin: level === "product" ? product : null,
        perMonth: Math.round((lost / days) * 30),
        others: [...others].flatMap(([asin, own]) => (paysRate(own, before) ? asin : [])),
      });
    }
  }
  const linkIds = await findLinksTo(
    db,
    userId,
    found.flatMap(({ products, others }) => [...products, ...others]),
  );
  const links = await queries.findLinkNames(db, userId, linkIds);
  const host = new URL(publicBaseUrl).host;
  const linksTo = (asins: readonly string[], store: string) =>
    links
      .filter(({ asin, marketplace }) => marketplace === store && asins.includes(asin ?? ""))
      .slice(0, SHOWN_LINKS_MAX_COUNT)
      .map(({ shortCode, ...link }) => ({ shortCode, name: displayName(link, host) }));
  return {
    hasRevenue,
    changes: found.map(({ products, others, ...change }) => {
      const product = named.get(products[0] ?? "");
      const name = { product: product?.name, category: product?.category, store: null }[change.level] ?? null;
      const { marketplace } = change;
      return { ...change, name, links: linksTo(products, marketplace), unchanged: linksTo(others, marketplace) };
    }),
  };
}

function mostSold(sums: readonly { key: string; shipped: number }[]): string[] {
  const items = new Map<string, number>();
  for (const { key, shipped } of sums) if (key !== "") items.set(key, (items.get(key) ?? 0) + shipped);
  let count = 0;
  return [...items]
    .toSorted(([, a], [, b]) => b - a)
    .flatMap(([asin, shipped]) => {
      count += shipped;
      return count <= ITEMS_MAX_COUNT || count === shipped ? asin : [];
    });
}

/** In the order of days. */
async function findRatedSales(db: Db<"any">, range: queries.OwnDays, asins: readonly string[]) {
  const rows = await queries.inParts(db, range, (part) =>
    db.any(sql.type(SaleRow)`
      SELECT report.marketplace, report.currency, item.is_direct AS "isDirect", item.asin AS product, item.day::text AS day,
        coalesce(item.earnings, 0) AS earnings, item.revenue, coalesce(item.shipped, 0) AS shipped,
        coalesce(item.returned, 0) AS returned
      FROM ${queries.countingRows(part)} AND report.kind = 'earnings' AND item.revenue <> 0
        AND item.asin = ANY(${sql.array(asins, "text")})
    `),
  );
  return rows.toSorted((a, b) => Date.parse(a.day) - Date.parse(b.day));
}

async function findLinksTo(db: Db<"any">, userId: number, asins: readonly string[]): Promise<number[]> {
  const rows = await db.any(sql.type(z.object({ id: z.int() }))`
    SELECT id FROM links WHERE user_id = ${userId} AND asin = ANY(${sql.array([...new Set(asins)], "text")})
    ORDER BY asin, id LIMIT ${LINKS_MAX_COUNT}
  `);
  return rows.map(({ id }) => id);
}
