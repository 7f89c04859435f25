import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";
import { commonCurrency, factorsTo, findRates, referenceDay } from "./rates.ts";
import { earningsRange, findCoveredStores, lastOf } from "./reports.ts";
import { matchedSales } from "./sales.ts";

const LinkEarned = z.object({
  linkId: z.int(),
  /** In the smallest unit of the currency. */
  earnings: z.int(),
  currencies: z.array(z.string()),
});

/**
 * Returns what links of the user earned in the last 30 days of reports, by sales that are theirs alone, in the currency of the user's rates or the only one
 * of their reports. Links whose earnings cannot be added up are left out.
 * @param asins if given, those of the links that are asked for
 */
export async function earningsOfLinks(
  db: Db<"any" | "maybeOne" | "oneFirst">,
  userId: number,
  asins?: readonly string[],
) {
  const days = await earningsRange(db, userId, { to: "reported" });
  const [rates, covered] = await Promise.all([findRates(db, userId), findCoveredStores(db, days)]);
  const currency = commonCurrency(
    rates,
    covered.map((store) => store.currency),
  );
  const until = lastOf(covered.map((store) => store.earningsUntil));
  if (currency === null || until === null) return [];
  const earned = await db.any(sql.type(LinkEarned)`
    WITH ${matchedSales({ ...days, asins })}
    SELECT links[1] AS "linkId", floor(sum(coalesce(earnings, 0) * factor) + 0.5)::bigint AS earnings, array_agg(DISTINCT currency) AS currencies
    FROM matched LEFT JOIN (${factorsTo(currency, rates)}) AS factor USING (currency)
    WHERE match = 'link' GROUP BY 1 HAVING count(factor) = count(*)
  `);
  return earned.map(({ currencies, ...link }) => {
    return { ...link, currency, until, ratesDay: referenceDay(rates, currencies) };
  });
}

export async function findAsinsOfLinks(db: Db<"any">, linkIds: readonly number[]): Promise<string[]> {
  const ids = sql.array(linkIds, "int8");
  const rows = await db.any(sql.type(z.object({ asin: z.string() }))`
    SELECT asin FROM links WHERE id = ANY(${ids}) AND asin IS NOT NULL
    UNION SELECT asin FROM link_destinations WHERE link_id = ANY(${ids}) AND asin IS NOT NULL
  `);
  return rows.map(({ asin }) => asin);
}
