import type { EarningsTable } from "@tapthru/proto/earnings";
import { escapeFormula } from "@tapthru/proto/rules/csv-cell";
import { fractionDigits } from "@tapthru/proto/rules/money";
import { csvText } from "../http/streams.ts";

const COLUMNS = [
  ...["key", "name", "links", "match", "currency", "earnings", "revenue"],
  ...["ordered", "shipped", "returned", "people", "earnings per click", "currency per click"],
];

/** A line for each row and currency, with amounts in units of the currency, such as 12.50. */
export function earningsCsv({ rows }: EarningsTable): string {
  const lines = rows.flatMap((row) => {
    const head = {
      key: escapeFormula(row.key ?? ""),
      name: escapeFormula(row.name ?? ""),
      links: row.links.map(({ shortCode }) => shortCode).join(" "),
      match: row.match,
      people: row.people,
    };
    // The earnings per click are of all currencies.
    const perClick = row.currency === null ? null : inUnits(row.earningsPerClick, row.currency, 4);
    const sums = row.sums.length === 0 ? [null] : row.sums;
    return sums.map((sum) => ({
      ...head,
      currency: sum?.currency ?? null,
      earnings: sum && inUnits(sum.earnings, sum.currency),
      revenue: sum && inUnits(sum.revenue, sum.currency),
      ordered: sum?.ordered ?? null,
      shipped: sum?.shipped ?? null,
      returned: sum?.returned ?? null,
      "earnings per click": perClick,
      "currency per click": perClick && row.currency,
    }));
  });
  return csvText(COLUMNS, lines);
}

function inUnits(amount: number | null, currency: string, moreDigits = 0): string | null {
  if (amount === null) return null;
  const digits = fractionDigits(currency);
  return (amount / 10 ** digits).toFixed(digits + moreDigits);
}
