import type { LinkEarnings } from "@tapthru/proto/http/earnings";
import { findOwnLinkId } from "@tapthru/runtime/clicks/queries";
import { readMatcher } from "@tapthru/runtime/earnings/read-matcher";
import { ApiError } from "../errors.ts";
import { Coverage } from "./coverage.ts";
import { type EarningsDependencies, type EarningsRange, matched } from "./earnings-table.ts";
import { CurrencySums, commonCurrency } from "./figures.ts";
import { NO_PEOPLE, readPeople } from "./people.ts";
import * as queries from "./queries.ts";
import { findRowNames } from "./row-names.ts";
import { figuresOf, linkDrafts } from "./table-rows.ts";

/** @throws ApiError if the user has no such link */
export async function linkEarnings(
  deps: EarningsDependencies,
  range: EarningsRange,
  shortCode: string,
): Promise<LinkEarnings> {
  const { db, clickStore } = deps;
  const { userId, from, to } = range;
  const link = await findOwnLinkId(db, { userId, shortCode });
  if (link === null) throw new ApiError("link-not-found");
  const { links, matcher } = await readMatcher(db, userId);
  const coverage = new Coverage(range.clicks, await queries.findCoveredDays(db, range));
  const [found, people, rates, reportedUntil] = await Promise.all([
    queries.findSales(db, range, { hasDays: true, asins: matcher.asins(link.id), onlyThese: true }),
    readPeople(range.clicks, coverage, (each) => clickStore.people(userId, each)),
    queries.findRates(db, userId),
    queries.findReportedUntil(db, userId),
  ]);
  const sales = found
    .map((sale) => matched(matcher, sale))
    .filter((sale) => sale.links.includes(link.id));
  const own = sales
    .filter(({ match }) => match === "link")
    .sort((a, b) => (a.day < b.day ? -1 : 1));
  const currency = commonCurrency(rates, coverage.currencies);
  const context = { currency, rates, coverage };
  const drafts = linkDrafts(sales, links, people).filter(({ match }) => match === "links");
  const nameOf = await findRowNames(deps, { userId, by: "link" }, drafts);
  const codes = new Map(links.map(({ id, shortCode }) => [id, shortCode]));
  const figures = figuresOf(
    {
      sums: CurrencySums.of(own),
      people: people.get(link.id) ?? NO_PEOPLE,
      isShared: drafts.length > 0,
    },
    context,
  );
  return {
    from,
    to,
    reportedUntil,
    ...figures,
    shared: drafts.map((draft) => ({
      ...draft,
      ...figuresOf(draft, context),
      name: nameOf(draft),
      links: draft.linkIds.map((id) => codes.get(id) ?? ""),
    })),
    days: [...Map.groupBy(own, ({ day }) => day)].map(([day, ofDay]) => ({
      day,
      sums: CurrencySums.of(ofDay)
        .list()
        .map((each) => coverage.known(each, day)),
    })),
  };
}
