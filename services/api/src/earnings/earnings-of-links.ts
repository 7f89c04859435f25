import { findOwnLinkId, findOwnLinksByCode } from "@tapthru/core/clicks/queries";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { Earned, LinkEarnings, LinksEarnings } from "@tapthru/proto/earnings";
import { linkNotFound } from "@tapthru/proto/general-errors";
import { incomparable, KINDS_OF, type ReportedFigure } from "@tapthru/proto/rules/days";
import { EARNINGS_CSV_MAX_COUNT, LINKS_SORTED_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import { type EarningsDependencies, figuresOf, namedRows, without } from "./earnings-table.ts";
import { commonCurrency, factorsTo, findRates, type Rates, referenceDay } from "./rates.ts";
import { findPeriod, findReportDays, type Period } from "./reports.ts";
import { type FigureRow, findRows } from "./rows.ts";
import { matchedSales } from "./sales.ts";

const LAST_DAYS = { to: "reported" };
const ALL_FIGURES = new Set(Object.keys(KINDS_OF) as ReportedFigure[]);

/** @throws ApiError (link-not-found) */
export async function linkEarnings(
  deps: EarningsDependencies,
  period: Period,
  shortCode: string,
): Promise<LinkEarnings> {
  const { days, covered, before } = period;
  const { userId } = days;
  const link = await findOwnLinkId(deps.db, { userId, shortCode });
  if (link === null) throw new ApiError(linkNotFound);
  const rates = await findRates(deps.db, userId);
  const query = { rates, currency: currencyOf(rates, period), ids: [link.id] };
  const [rowsOf, rowsBefore] = await Promise.all([
    findRowsOfLinks(deps, { ...query, days, covered }),
    before && findRowsOfLinks(deps, { ...query, days: before.days, covered: before.days.only }),
  ]);
  const { own, shared } = rowsOf(link.id);
  const ofBefore = rowsBefore?.(link.id);
  if (own === undefined) throw new ApiError(linkNotFound);
  const isOfLink = ({ marketplace }: { marketplace: string }) => own.stores?.includes(marketplace) ?? true;
  const isShared = [...shared, ...(ofBefore?.shared ?? [])].length > 0;
  return {
    ...(await findReportDays(deps.db, period, own.stores)),
    ratesDay: ratesDayOf(rates, covered.filter(isOfLink)),
    ...figuresOf(own),
    shared: sumOf(shared),
    sharedRows: await namedRows(deps, userId, shared),
    ...(before && {
      before: {
        from: before.days.from,
        to: before.days.to,
        totals: without(
          isShared ? ALL_FIGURES : incomparable(before.days.only.filter(isOfLink), before.covered),
          figuresOf(ofBefore?.own),
        ),
      },
    }),
  };
}

/** What links earned in the last days that reports have. */
export async function linksEarnings(
  deps: EarningsDependencies,
  userId: number,
  shortCodes: readonly string[],
): Promise<LinksEarnings> {
  const { db } = deps;
  const [period, rates] = await Promise.all([findPeriod(db, userId, LAST_DAYS), findRates(db, userId)]);
  const links = await findOwnLinksByCode(db, { userId, shortCodes });
  const ids = links.map(({ id }) => id);
  const rowsOf = await findRowsOfLinks(deps, { ...period, rates, currency: currencyOf(rates, period), ids });
  return {
    ...(await findReportDays(db, period, null)),
    ratesDay: ratesDayOf(rates, period.covered),
    links: links.flatMap(({ id, shortCode }) => {
      const { own, shared } = rowsOf(id);
      if (own === undefined) return [];
      const { sums, currency, earnings } = own;
      return [{ shortCode, sums, currency, earnings, shared: sumOf(shared) }];
    }),
  };
}

const currencyOf = (rates: Rates, { covered }: Pick<Period, "covered">) =>
  commonCurrency(
    rates,
    covered.map(({ currency }) => currency),
  );

const ratesDayOf = (rates: Rates, covered: Period["covered"]) =>
  referenceDay(
    rates,
    covered.map(({ currency }) => currency),
  );

interface LinksQuery extends Pick<Period, "days" | "covered"> {
  ids: readonly number[];
  rates: Rates;
  currency: string | null;
}

/** Finds the row of each link's own sales, and those of sales that it shares with others. */
async function findRowsOfLinks({ db, reports }: EarningsDependencies, { ids, ...query }: LinksQuery) {
  const link = { ids, asins: await findAsinsOfLinks(db, ids) };
  const order = { by: "link", sort: "earnings", limit: EARNINGS_CSV_MAX_COUNT } as const;
  const rows = ids.length === 0 ? [] : await findRows(reports, { ...query, ...order, tapDays: query.days, link });
  return (id: number) => ({
    own: rows.find(({ match, key }) => match === "link" && key === String(id)),
    shared: rows.filter(({ match, links }) => match === "links" && links?.includes(id)),
  });
}

/** The sum of rows that a link shares with others; null without any. */
function sumOf(rows: readonly FigureRow[]): Earned["shared"] {
  const [first, ...more] = rows.filter(({ sums }) => sums.some(({ earnings }) => earnings !== null));
  if (first === undefined) return null;
  const { currency } = first;
  const links = new Set(rows.flatMap((row) => row.links ?? [])).size - 1;
  const amounts = [first, ...more].map((row) => (row.currency === currency ? row.earnings : null));
  const isKnown = currency !== null && amounts.every((amount) => amount !== null);
  return {
    earnings: isKnown ? amounts.reduce((sum, amount) => (sum ?? 0) + (amount ?? 0), 0) : null,
    currency: isKnown ? currency : null,
    links,
  };
}

const LinkValue = z.object({ linkId: z.int(), value: z.int() });

/** The links that earned most in the last days of reports, with what they share, in one currency. */
export async function earningsRank(db: Db<"any" | "maybeOne" | "oneFirst">, userId: number) {
  const [{ days, covered }, rates] = await Promise.all([findPeriod(db, userId, LAST_DAYS), findRates(db, userId)]);
  return db.any(sql.type(LinkValue)`
    WITH ${matchedSales(days)}, earned AS (
      SELECT link_id AS "linkId", floor(sum(coalesce(earnings, 0) * factor) + 0.5)::bigint AS value
      FROM matched CROSS JOIN unnest(links) AS link_id
      LEFT JOIN (${factorsTo(currencyOf(rates, { covered }), rates)}) AS factor USING (currency)
      GROUP BY 1 HAVING count(factor) = count(*)
    )
    SELECT * FROM earned WHERE value > 0 ORDER BY value DESC LIMIT ${LINKS_SORTED_MAX_COUNT}
  `);
}

async function findAsinsOfLinks(db: Db<"any">, linkIds: readonly number[]): Promise<string[]> {
  const ids = sql.array(linkIds, "int8");
  const rows = await db.any(sql.type(z.object({ asin: z.string() }))`
    SELECT asin FROM links WHERE id = ANY(${ids}) AND asin IS NOT NULL
    UNION SELECT asin FROM link_destinations WHERE link_id = ANY(${ids}) AND asin IS NOT NULL
  `);
  return rows.map(({ asin }) => asin);
}
