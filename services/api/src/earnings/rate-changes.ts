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
/** The number of best-selling products that are compared. A hundred thousand would take seconds. */
const ROWS_MAX_COUNT = 5_000;
const PRODUCTS_MAX_COUNT = 2_000;
/** Those of the largest amounts. */
const CHANGES_MAX_COUNT = 50;
/** The most linked products of a change. */
const LINKED_PRODUCTS_MAX_COUNT = 100;
const LINKS_MAX_COUNT = 10;

const SaleRow = z.object({
  marketplace: z.string(),
  storeId: z.string(),
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
  ["store", () => ""],
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
  const { hasRevenue, asins } = await findMostSold(db, range);
  const named = new Map((await queries.findProductNames(db, userId, asins)).map((each) => [each.key, each]));
  const sales = (await findRatedSales(db, range, asins)).map((sale) => {
    return { ...sale, category: named.get(sale.product)?.category ?? "" };
  });
  /** Accounts, and direct and indirect sales, have rates of their own. */
  const placeOf = ({ marketplace, storeId, currency, isDirect }: Sale) => [marketplace, storeId, currency, isDirect];
  const places = Map.groupBy(sales, (sale) => JSON.stringify(placeOf(sale)));
  const found: (Omit<RateChange, "name" | "links" | "unchanged"> & { products: string[]; others: string[] })[] = [];
  for (const ofPlace of places.values()) {
    const claimed = new Set<string>();
    for (const [level, keyOf] of LEVELS) {
      for (const [key, ofSeries] of Map.groupBy(ofPlace, keyOf)) {
        const [first] = ofSeries;
        const change = await findRateChange(ofSeries);
        if (!first || !change || (level !== "product" && change.products.length < 2)) continue;
        if (level === "category" && key === "") continue;
        const { day, before, after, products, lost } = change;
        const claims = products.map((each) => `${each} ${before} ${after}`);
        if (claims.every((claim) => claimed.has(claim))) continue;
        for (const claim of claims) claimed.add(claim);
        const isSimilar = ({ category, product }: Sale) =>
          !products.includes(product) && (level === "store" || category === first.category);
        const others = Map.groupBy(ofPlace.filter(isSimilar), ({ product }) => product);
        const { marketplace, storeId, currency, isDirect } = first;
        found.push({
          ...{ level, marketplace, storeId, currency, isDirect, day, before, after },
          products: products.slice(0, LINKED_PRODUCTS_MAX_COUNT),
          asin: level === "product" ? key : null,
          perMonth: Math.round((lost * 30) / (1 + (Date.parse(to) - Date.parse(day)) / DAY_MS)),
          others: [...others]
            .flatMap(([asin, own]) => (paysRate(own, before) ? asin : []))
            .slice(0, LINKED_PRODUCTS_MAX_COUNT),
        });
      }
    }
  }
  const changes = found.sort((a, b) => Math.abs(b.perMonth) - Math.abs(a.perMonth)).slice(0, CHANGES_MAX_COUNT);
  const linksTo = await findLinksTo({ db, publicBaseUrl }, userId, changes);
  return {
    hasRevenue,
    changes: changes.map(({ products, others, ...change }) => {
      const product = named.get(products[0] ?? "");
      const name = { product: product?.name, category: product?.category, store: null }[change.level] ?? null;
      const { marketplace } = change;
      return { ...change, name, links: linksTo(products, marketplace), unchanged: linksTo(others, marketplace) };
    }),
  };
}

const SoldProduct = z.object({ asin: z.string(), shipped: z.int(), rows: z.int(), hasRevenue: z.boolean() });

/** As many products as have ROWS_MAX_COUNT rows of `findRatedSales` together. */
async function findMostSold(db: Db<"any">, range: queries.OwnDays) {
  const parts = await queries.inParts(db, range, (part) =>
    db.any(sql.type(SoldProduct)`
      SELECT item.asin, sum(item.shipped) AS shipped, count(DISTINCT (item.day, is_direct, returned > 0)) AS rows,
        bool_or(coalesce(revenue, 0) > 0) AS "hasRevenue"
      FROM ${queries.countingRows(part)} AND report.kind = 'earnings' AND item.asin <> '' AND item.shipped > 0
      GROUP BY 1 ORDER BY 2 DESC LIMIT ${PRODUCTS_MAX_COUNT}
    `),
  );
  const products = new Map<string, { shipped: number; rows: number }>();
  for (const { asin, shipped, rows } of parts) {
    const known = products.get(asin);
    products.set(asin, { shipped: shipped + (known?.shipped ?? 0), rows: rows + (known?.rows ?? 0) });
  }
  let count = 0;
  const asins = [...products]
    .sort(([, a], [, b]) => b.shipped - a.shipped)
    .flatMap(([asin, { rows }]) => {
      count += rows;
      return count <= ROWS_MAX_COUNT ? asin : [];
    });
  return { asins, hasRevenue: parts.length === 0 || parts.some((each) => each.hasRevenue) };
}

/** In the order of days. Rows with returns are apart: they do not show a rate. */
async function findRatedSales(db: Db<"any">, range: queries.OwnDays, asins: readonly string[]) {
  const rows = await queries.inParts(db, range, (part) =>
    db.any(sql.type(SaleRow)`
      SELECT report.marketplace, report.store_id AS "storeId", report.currency, item.is_direct AS "isDirect",
        item.asin AS product, item.day::text AS day, coalesce(sum(item.earnings), 0) AS earnings,
        sum(item.revenue) AS revenue, coalesce(sum(item.shipped), 0) AS shipped,
        coalesce(sum(item.returned), 0) AS returned
      FROM ${queries.countingRows(part)} AND report.kind = 'earnings' AND item.revenue <> 0
        AND item.asin = ANY(${sql.array(asins, "text")})
      GROUP BY 1, 2, 3, 4, 5, item.day, item.returned > 0 ORDER BY item.day DESC LIMIT ${ROWS_MAX_COUNT}
    `),
  );
  return rows.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)).slice(-ROWS_MAX_COUNT);
}

/** Some links to each product. */
async function findLinksTo(
  { db, publicBaseUrl }: Pick<EarningsDependencies, "db" | "publicBaseUrl">,
  userId: number,
  changes: readonly { marketplace: string; products: string[]; others: string[] }[],
) {
  const asked = changes.flatMap(({ marketplace, products, others }) =>
    [...products, ...others].map((asin) => [marketplace, asin]),
  );
  const ids = await db.any(sql.type(z.object({ id: z.int() }))`
    SELECT id FROM (SELECT DISTINCT * FROM ${sql.unnest(asked, ["text", "text"])} AS asked (store, asin)) AS asked
    CROSS JOIN LATERAL (
      SELECT id FROM links
      WHERE user_id = ${userId} AND links.asin = asked.asin AND marketplace = store ORDER BY id LIMIT ${LINKS_MAX_COUNT}
    ) AS link
  `);
  const links = await queries.findLinkNames(
    db,
    userId,
    ids.map(({ id }) => id),
  );
  const host = new URL(publicBaseUrl).host;
  const byProduct = Map.groupBy(links, ({ marketplace, asin }) => `${marketplace} ${asin}`);
  return (asins: readonly string[], store: string) =>
    asins
      .flatMap((asin) => byProduct.get(`${store} ${asin}`) ?? [])
      .slice(0, LINKS_MAX_COUNT)
      .map(({ shortCode, ...link }) => ({ shortCode, name: displayName(link, host) }));
}
