import { findTagChannels, isRouted, tagKey } from "@tapthru/core/earnings/tag-channels";
import { mapInTurns } from "@tapthru/core/platform/map-in-turns";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { UnlinkedProduct } from "@tapthru/proto/earnings";
import { sql } from "slonik";
import * as z from "zod/mini";
import * as queries from "./queries.ts";

const RANGE_MS = 89 * 86_400_000;
/** A product that sold on fewer days may be the private matter of one shopper. */
const MIN_DAYS = 3;
const MAX_COUNT = 100;
/** Almost each is a row of the result, and other requests run between the statements. */
const ROWS_PER_STATEMENT = 4_000;
const CANDIDATES_MAX_COUNT = 2_000;

/** Products that sold again and again in the last 90 days of reports, by the user's tags, and to which none of their links leads. */
export async function findUnlinkedProducts(db: Db<"any" | "oneFirst">, userId: number): Promise<UnlinkedProduct[]> {
  const to = await queries.findReportedUntil(db, userId, ["orders", "earnings"]);
  if (to === null) return [];
  const sales = await findSales(db, { userId, from: queries.dayAt(Date.parse(to) - RANGE_MS), to });
  const byProduct = new Map<string, Sale[]>();
  await mapInTurns(sales, (sale) => {
    const key = `${sale.marketplace} ${sale.asin} ${sale.kind}`;
    const known = byProduct.get(key);
    if (known === undefined) byProduct.set(key, [sale]);
    else known.push(sale);
  });
  const repeated = (await mapInTurns([...byProduct.values()], (all) => (soldDays(all) < MIN_DAYS ? [] : [all]))).flat();
  const channelOf = await findTagChannels(db, userId, repeated.flat());
  const found = new Map<string, UnlinkedProduct>();
  await mapInTurns(repeated, (all) => {
    const own = all.filter((sale) => channelOf.has(tagKey(sale))).sort((a, b) => b.sold - a.sold);
    const [most] = own;
    const days = soldDays(own);
    if (most === undefined || days < MIN_DAYS) return;
    const { marketplace, asin } = most;
    const sold = own.reduce((sum, sale) => sum + sale.sold, 0);
    const key = `${marketplace} ${asin}`;
    // Reports of orders and of earnings have the same sales.
    if (days <= (found.get(key)?.days ?? 0)) return;
    found.set(key, { marketplace, asin, name: null, sold, days, channelId: channelOf.get(tagKey(most)) ?? null });
  });
  const candidates = [...found.values()].toSorted((a, b) => b.sold - a.sold).slice(0, CANDIDATES_MAX_COUNT);
  const unlinked = (await withoutLinks(db, userId, candidates)).slice(0, MAX_COUNT);
  const names = await queries.findProductNames(
    db,
    userId,
    unlinked.map(({ asin }) => asin),
  );
  return unlinked.map((each) => ({ ...each, name: names.find(({ key }) => key === each.asin)?.name ?? null }));
}

const soldDays = (sales: readonly Sale[]) => new Set(sales.flatMap(({ days }) => days)).size;

const Sale = z.object({
  kind: z.string(),
  marketplace: z.string(),
  tag: z.string(),
  asin: z.string(),
  sold: z.int(),
  days: z.array(z.string()),
});
type Sale = z.infer<typeof Sale>;

function findSales(db: Db<"any">, range: queries.OwnDays): Promise<Sale[]> {
  const read = (part: queries.Part) =>
    db.any(sql.type(Sale)`
      SELECT report.kind, report.marketplace, lower(item.tag) AS tag, item.asin,
        sum(coalesce(ordered, shipped)) AS sold, array_agg(DISTINCT item.day::text) AS days
      FROM ${queries.countingRows(part)} AND item.asin <> '' AND coalesce(ordered, shipped) > 0 GROUP BY 1, 2, 3, 4
    `);
  return queries.inParts(db, range, read, ROWS_PER_STATEMENT);
}

/** Links whose visitors are sent to the store of their country lead to the product in each store. */
async function withoutLinks(db: Db<"any">, userId: number, products: readonly UnlinkedProduct[]) {
  const asked = sql.unnest(
    products.map(({ marketplace, asin }) => [marketplace, asin]),
    ["text", "text"],
  );
  const linked = await db.any(sql.type(z.object({ key: z.string() }))`
    SELECT asked.marketplace || ' ' || asked.asin AS key FROM ${asked} AS asked (marketplace, asin)
    WHERE EXISTS (
      SELECT FROM links AS link WHERE link.user_id = ${userId} AND link.asin = asked.asin
        AND (link.marketplace = asked.marketplace OR ${isRouted(userId)})
    )
  `);
  const keys = new Set(linked.map(({ key }) => key));
  return products.filter(({ marketplace, asin }) => !keys.has(`${marketplace} ${asin}`));
}
