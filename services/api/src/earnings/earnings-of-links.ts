import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { Coverage } from "./coverage.ts";
import { earningsRange } from "./earnings-range.ts";
import { CurrencySums, commonCurrency, convertedEarnings } from "./figures.ts";
import { findAsinsOfLinks, findCoveredDays, findRates, referenceDay } from "./queries.ts";
import { findSales } from "./sales.ts";

export interface LinkEarned {
  linkId: number;
  /** In the smallest unit of the currency. */
  earnings: number;
  currency: string;
  until: string;
  /** The day of the reference rates in the sum. */
  ratesDay: string | null;
}

/**
 * Returns what links of the user earned in the last 30 days of reports, by sales that are theirs alone, in the currency of the user's rates or the only one
 * of their reports. Links whose earnings cannot be added up are left out.
 * @param linkIds if given, those of these links
 */
export async function earningsOfLinks(
  db: Db<"any" | "maybeOne" | "oneFirst">,
  userId: number,
  linkIds?: readonly number[],
): Promise<LinkEarned[]> {
  const range = await earningsRange(db, userId, { to: "reported" });
  const asins = linkIds && (await findAsinsOfLinks(db, linkIds));
  if (asins?.length === 0) return [];
  const [sales, rates, covered] = await Promise.all([
    findSales(db, range, { hasDays: false, hasLinks: true, ...(asins && { asins }) }),
    findRates(db, userId),
    findCoveredDays(db, range),
  ]);
  const coverage = new Coverage(range.clicks, covered);
  const [currency, until] = [commonCurrency(rates, coverage.currencies), coverage.until("earnings")];
  if (currency === null || until === null) return [];
  const wanted = linkIds && new Set(linkIds);
  const own = sales.filter(({ match, links: [id = 0] }) => match === "link" && (wanted?.has(id) ?? true));
  return [...Map.groupBy(own, ({ links: [id = 0] }) => id)].flatMap(([linkId, ofLink]) => {
    const sums = CurrencySums.of(ofLink).list();
    const earnings = convertedEarnings(sums, currency, rates);
    const ratesDay = referenceDay(
      rates,
      sums.map((sum) => sum.currency),
    );
    return earnings === null ? [] : [{ linkId, earnings, currency, until, ratesDay }];
  });
}
