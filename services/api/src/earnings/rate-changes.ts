import { findRateChange, paysRate } from "@tapthru/core/earnings/rate-changes";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { listRateChanges, RateChange } from "@tapthru/proto/earnings";
import { dayAt } from "@tapthru/proto/rules/days";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { EarningsDependencies } from "./earnings-table.ts";
import { findLinkNames } from "./link-names.ts";
import { findReportedUntil, isOwn, type OwnDays } from "./reports.ts";

const RANGE_DAYS = 365;
const DAY_MS = 86_400_000;
/** The number of best-selling products that are compared. A hundred thousand would take seconds. */
const ROWS_MAX_COUNT = 5_000;
/** Those of the largest amounts of each currency: amounts of several cannot be compared. */
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
  name: z.nullable(z.string()),
  /** Empty if it is unknown. */
  category: z.string(),
});
type Sale = z.infer<typeof SaleRow>;
type RateChanges = z.infer<(typeof listRateChanges.replies)[200]>;

/** A change that a wider level shows is not repeated by its products. */
const LEVELS = [
  ["store", () => ""],
  ["category", ({ category }) => category],
  ["product", ({ product }) => product],
] as const satisfies [RateChange["level"], (sale: Sale) => string][];

/** Changes of the last year of reports, with the links that they concern. */
export async function findRateChanges(
  { db, reports, publicBaseUrl }: EarningsDependencies,
  userId: number,
): Promise<RateChanges> {
  const to = await findReportedUntil(db, userId, ["earnings"]);
  if (to === null) return { hasRevenue: true, changes: [] };
  const days = { userId, from: dayAt(Date.parse(to) - (RANGE_DAYS - 1) * DAY_MS), to };
  const sales = await findRatedSales(reports, days);
  /** Accounts, and direct and indirect sales, have rates of their own. */
  const placeOf = ({ marketplace, storeId, currency, isDirect }: Sale) => [marketplace, storeId, currency, isDirect];
  const places = Map.groupBy(sales, (sale) => JSON.stringify(placeOf(sale)));
  const found: (Omit<RateChange, "links" | "unchanged"> & { products: string[]; others: string[] })[] = [];
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
          name: { product: first.name, category: key, store: null }[level],
          perMonth: Math.round((lost * 30) / (1 + (Date.parse(to) - Date.parse(day)) / DAY_MS)),
          others: [...others]
            .flatMap(([asin, own]) => (paysRate(own, before) ? asin : []))
            .slice(0, LINKED_PRODUCTS_MAX_COUNT),
        });
      }
    }
  }
  const byAmount = found.sort((a, b) => Math.abs(b.perMonth) - Math.abs(a.perMonth));
  const changes = [...Map.groupBy(byAmount, ({ currency }) => currency).values()]
    .flatMap((ofCurrency) => ofCurrency.map((change, rank) => ({ change, rank })))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, CHANGES_MAX_COUNT)
    .map(({ change }) => change);
  const linksTo = await findLinksTo({ db, publicBaseUrl }, userId, changes);
  return {
    hasRevenue: sales.length > 0 || !(await hasSalesWithoutRevenue(reports, days)),
    changes: changes.map(({ products, others, ...change }) => {
      const { marketplace } = change;
      return { ...change, links: linksTo(products, marketplace), unchanged: linksTo(others, marketplace) };
    }),
  };
}

/**
 * Those of the products that sold most, of which the first rows are among ROWS_MAX_COUNT, in the order of days. Rows with returns are
 * apart: they do not show a rate.
 */
function findRatedSales(db: Db<"any">, days: OwnDays) {
  return db.any(sql.type(SaleRow)`
    WITH sale AS MATERIALIZED (
      SELECT marketplace, store_id AS "storeId", currency, is_direct AS "isDirect", product, day::text AS day, coalesce(sum(earnings), 0) AS earnings,
        sum(revenue) AS revenue, coalesce(sum(shipped), 0) AS shipped, coalesce(sum(returned), 0) AS returned
      FROM counted_earnings WHERE ${isOwn(days)} AND kind = 'earnings' AND product <> '' AND revenue <> 0
      GROUP BY 1, 2, 3, 4, 5, 6, returned > 0
    ), sold AS (
      SELECT product, sum(count(*)) OVER (ORDER BY sum(shipped) DESC, product) - count(*) AS rows_before
      FROM sale GROUP BY product HAVING sum(shipped) > 0
    )
    SELECT sale.*, name, coalesce(category, '') AS category
    FROM sale LEFT JOIN earnings_products AS known ON known.user_id = ${days.userId} AND known.asin = product
    WHERE product IN (SELECT product FROM sold WHERE rows_before < ${ROWS_MAX_COUNT})
    ORDER BY day, marketplace, "storeId", currency, "isDirect", product, returned
  `);
}

/** Says whether there are sales, and none with revenue. */
async function hasSalesWithoutRevenue(db: Db<"any">, days: OwnDays) {
  const sold = await db.any(sql.type(z.object({}))`
    SELECT FROM counted_earnings WHERE ${isOwn(days)} AND kind = 'earnings' AND product <> '' AND shipped > 0
      AND NOT EXISTS (SELECT FROM counted_earnings WHERE ${isOwn(days)} AND kind = 'earnings' AND product <> '' AND revenue <> 0)
    LIMIT 1
  `);
  return sold.length > 0;
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
  const links = await findLinkNames(
    { db, publicBaseUrl },
    userId,
    ids.map(({ id }) => id),
  );
  const byProduct = Map.groupBy(links, ({ marketplace, asin }) => `${marketplace} ${asin}`);
  return (asins: readonly string[], store: string) =>
    asins
      .flatMap((asin) => byProduct.get(`${store} ${asin}`) ?? [])
      .slice(0, LINKS_MAX_COUNT)
      .map(({ shortCode, name }) => ({ shortCode, name }));
}
