import { recorded } from "@tapthru/core/events";
import type { EarningsTable } from "@tapthru/proto/earnings";
import * as calls from "@tapthru/proto/earnings";
import type { CsvSeparator } from "@tapthru/proto/fields";
import { escapeFormula } from "@tapthru/proto/rules/csv-cell";
import { fractionDigits } from "@tapthru/proto/rules/money";
import { sql } from "slonik";
import * as z from "zod/mini";
import { handlers, TextReply } from "../callers/handlers.ts";
import { CSV_TYPE, csvText } from "../http/streams.ts";
import { linkEarnings, linksEarnings } from "./earnings-of-links.ts";
import { earningsTable } from "./earnings-table.ts";
import { findRateChanges } from "./rate-changes.ts";
import { findRates } from "./rates.ts";
import { findPeriod } from "./reports.ts";
import { findUnlinkedProducts } from "./unlinked-products.ts";

const COLUMNS = [
  "key",
  "name",
  "links",
  "match",
  "currency",
  "earnings",
  "revenue",
  "ordered",
  "shipped",
  "returned",
  "people",
  "earnings per click",
  "currency per click",
];

/** A line for each row and currency, with amounts in units of the currency, such as 12.50. */
function earningsCsv({ rows }: EarningsTable, separator: CsvSeparator): string {
  const inText = (...amount: Parameters<typeof inUnits>) =>
    inUnits(...amount)?.replace(".", separator === ";" ? "," : ".") ?? null;
  const lines = rows.flatMap((row) => {
    const head = {
      key: escapeFormula(row.key ?? ""),
      name: escapeFormula(row.name ?? ""),
      links: row.links.map(({ shortCode }) => shortCode).join(" "),
      match: row.match,
      people: row.people,
    };
    // The earnings per click are of all currencies.
    const perClick = row.currency === null ? null : inText(row.earningsPerClick, row.currency, 4);
    const sums = row.sums.length === 0 ? [null] : row.sums;
    return sums.map((sum) => ({
      ...head,
      currency: sum?.currency ?? null,
      earnings: sum && inText(sum.earnings, sum.currency),
      revenue: sum && inText(sum.revenue, sum.currency),
      ordered: sum?.ordered ?? null,
      shipped: sum?.shipped ?? null,
      returned: sum?.returned ?? null,
      "earnings per click": perClick,
      "currency per click": perClick && row.currency,
    }));
  });
  return csvText(COLUMNS, lines, separator);
}

function inUnits(amount: number | null, currency: string, moreDigits = 0): string | null {
  if (amount === null) return null;
  const digits = fractionDigits(currency);
  return (amount / 10 ** digits).toFixed(digits + moreDigits);
}

export const earningsHandlers = handlers(calls, {
  getEarnings: async (api, { ctx, userId, query }) => {
    const period = await findPeriod(api.db, userId, query);
    const { by, sort, limit, separator, channel } = query;
    ctx.vary("Accept");
    if (ctx.accepts("json", "text/csv") !== "text/csv") {
      return earningsTable(api, period, { by, sort, limit, channel });
    }
    const table = await earningsTable(api, period, { by, sort, limit: null, channel });
    ctx.attachment("earnings.csv");
    return new TextReply(CSV_TYPE, earningsCsv(table, separator));
  },

  getLinkEarnings: async (api, { userId, params, query }) =>
    linkEarnings(api, await findPeriod(api.db, userId, query), params.shortCode),

  listLinksEarnings: (api, { userId, query: { codes } }) => linksEarnings(api, userId, codes),

  listRateChanges: (api, { userId }) => findRateChanges(api, userId),

  listUnlinkedProducts: ({ reports }, { userId }) => findUnlinkedProducts(reports, userId),

  getEarningsRates: async ({ db }, { userId }) => (await findRates(db, userId)).saved,

  saveEarningsRates: async ({ db }, { userId, body }) => {
    await db.query(sql.type(z.object({}))`
      WITH before AS MATERIALIZED (SELECT * FROM earnings_rates WHERE user_id = ${userId}), object AS (
        INSERT INTO earnings_rates (user_id, currency, rates)
        VALUES (${userId}, ${body.currency}, ${sql.jsonb([...body.rates])})
        ON CONFLICT (user_id) DO UPDATE SET currency = excluded.currency, rates = excluded.rates
        RETURNING *
      ), ${recorded("earnings-rates.changed")}
      SELECT
    `);
    return (await findRates(db, userId)).saved;
  },
});
