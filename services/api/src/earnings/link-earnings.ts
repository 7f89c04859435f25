import { findLinksById, findOwnLinkId } from "@tapthru/core/clicks/queries";
import type { LinkEarnings } from "@tapthru/proto/earnings";
import { linkNotFound } from "@tapthru/proto/general-errors";
import { ApiError } from "../http/errors.ts";
import { Coverage, findReportDays } from "./coverage.ts";
import type { EarningsDependencies, EarningsRange } from "./earnings-table.ts";
import { CurrencySums, commonCurrency } from "./figures.ts";
import { NO_PEOPLE, readPeople } from "./people.ts";
import * as queries from "./queries.ts";
import { findRowNames } from "./row-names.ts";
import { findSales } from "./sales.ts";
import { figuresOf, linkDrafts } from "./table-rows.ts";

/** @throws ApiError if the user has no such link */
export async function linkEarnings(
  deps: EarningsDependencies,
  range: EarningsRange,
  shortCode: string,
): Promise<LinkEarnings> {
  const { db, clickReader } = deps;
  const { userId } = range;
  const link = await findOwnLinkId(db, { userId, shortCode });
  if (link === null) throw new ApiError(linkNotFound);
  const ofAll = new Coverage(range.clicks, await queries.findCoveredDays(db, range));
  const asins = await queries.findAsinsOfLinks(db, [link.id]);
  const [found, rates] = await Promise.all([
    findSales(db, range, { hasDays: true, hasLinks: true, asins }),
    queries.findRates(db, userId),
  ]);
  const sales = found.filter((sale) => sale.links.includes(link.id));
  const stores = link.marketplace === null ? undefined : [link.marketplace, ...sales.map((sale) => sale.marketplace)];
  const coverage = ofAll.of(stores);
  const linkIds = [...new Set([link.id, ...sales.flatMap((sale) => sale.links)])];
  const links = await findLinksById(db, userId, linkIds);
  const people = await readPeople(
    range.clicks,
    () => coverage,
    async ({ from: start, to: end }) => {
      const all = { from: start, to: end, starts: [start] };
      const found = await clickReader.peopleByPeriod(linkIds, all);
      return new Map([...found].map(([id, [count = 0]]) => [id, count]));
    },
  );
  const own = sales.filter(({ match }) => match === "link").sort((a, b) => (a.day < b.day ? -1 : 1));
  const currency = commonCurrency(rates, ofAll.currencies);
  const context = { currency, rates, coverage };
  const drafts = linkDrafts(sales, links, people, ofAll).filter(({ match }) => match === "links");
  const namesOf = await findRowNames(deps, { userId, by: "link" }, drafts);
  const figures = figuresOf(
    {
      sums: CurrencySums.of(own),
      people: people.get(link.id) ?? NO_PEOPLE,
      isShared: drafts.length > 0,
    },
    context,
  );
  return {
    ...(await findReportDays(db, range, coverage, stores)),
    ...figures,
    shared: drafts.map((draft) => ({ ...draft, ...figuresOf(draft, context), ...namesOf(draft) })),
    days: [...Map.groupBy(own, ({ day }) => day)].map(([day, ofDay]) => ({
      day,
      sums: CurrencySums.of(ofDay)
        .list()
        .map((each) => coverage.known(each, day)),
    })),
  };
}
