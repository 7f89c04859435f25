import type { ClickRange } from "@tapthru/core/clicks/click-range";
import type { ClickReader } from "@tapthru/core/clicks/click-reader";
import { findLinksById, summedDays } from "@tapthru/core/clicks/queries";
import { readAmazonClicks } from "@tapthru/core/earnings/amazon-clicks";
import { addUpPeople, findPlacePeople, type PlacePeople, readStorePeople } from "@tapthru/core/earnings/store-people";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { EarningsGroup, EarningsOrder, EarningsTable } from "@tapthru/proto/earnings";
import { EARNINGS_MATCHES } from "@tapthru/proto/rules/earnings";
import { EARNINGS_CSV_MAX_COUNT, LABELS_PER_USER_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { Coverage, type Covered, findReportDays } from "./coverage.ts";
import { type Amounts, CurrencySums, commonCurrency } from "./figures.ts";
import { findPeople } from "./link-people.ts";
import { NO_PEOPLE, type People, peopleOfLinks, readPeople, sumOfPeople } from "./people.ts";
import * as queries from "./queries.ts";
import { findRowNames } from "./row-names.ts";
import { findSales } from "./sales.ts";
import * as rows from "./table-rows.ts";

export interface EarningsDependencies {
  db: Db<"any" | "maybeOne" | "oneFirst">;
  reports: Db<"any">;
  clickReader: Pick<ClickReader, "count" | "peopleByPeriod">;
  publicBaseUrl: string;
}

export interface EarningsRange extends queries.OwnDays {
  /** The same days in UTC. */
  clicks: ClickRange;
}

interface TableQuery {
  by: EarningsGroup;
  sort: EarningsOrder;
  /** The number of rows; null for as many as a CSV may have. */
  limit: number | null;
  /** By day: the figures of this channel alone. */
  channel?: number | undefined;
}

/** Links of a table whose codes are looked up for its order. In one of more links only those are that it shows. */
const ORDERED_LINKS_MAX_COUNT = 2_000;

export async function earningsTable(
  deps: EarningsDependencies,
  range: EarningsRange,
  { by, sort, limit, channel }: TableQuery,
): Promise<EarningsTable> {
  const { db, reports, clickReader } = deps;
  const { userId } = range;
  const ofAll = new Coverage(range.clicks, await queries.findCoveredDays(db, range));
  const places = by === "channel" || by === "store" || channel !== undefined ? readPlaces(reports, range) : null;
  const [allSales, rates, reportDays, products, summed] = await Promise.all([
    findSales(db, range, { hasDays: by === "day", hasLinks: by === "link" || by === "label" }),
    queries.findRates(db, userId),
    findReportDays(db, range, ofAll),
    by === "product" ? queries.sumByProduct(db, range) : [],
    by === "day" ? places : (places ?? summedDays(reports, userId, range.clicks)),
  ]);
  const isOfChannel = ({ channelId }: { channelId: number | null }) => channel === undefined || channelId === channel;
  const sales = allSales.filter(isOfChannel);
  const ofPlaces = ((await places)?.places ?? []).filter(isOfChannel);
  const coverage =
    channel === undefined ? ofAll : ofAll.of([...ofPlaces, ...sales].map(({ marketplace }) => marketplace));
  const rowCount = limit ?? EARNINGS_CSV_MAX_COUNT;
  const currency = commonCurrency(rates, ofAll.currencies);
  const figures = (draft: Parameters<typeof rows.figuresOf>[0], day: string | null = null, of = coverage) =>
    rows.figuresOf(draft, { currency, rates, coverage: of }, day);
  const ofDays =
    channel === undefined ? await peopleOfDays(clickReader, range, coverage) : peopleByDay(ofPlaces, coverage);
  const peopleBy = (group: "link" | "label" | "product", sold: readonly string[]) => {
    const people = peopleOfLinks({ userId, range: summed?.range ?? range.clicks, coverage });
    const count = group === "label" ? LABELS_PER_USER_MAX_COUNT : rowCount;
    return findPeople(reports, { userId, people, by: group, sold: [...new Set(sold)], sort, limit: count });
  };
  const input = { ofDays, sales, products, places: ofPlaces, coverage, peopleBy };
  const { drafts, omittedCount = 0 } = await draftsBy(deps, range, by, input);
  const all = rows.inOrder(
    drafts.map((draft) => ({ ...draft, ...figures(draft, by === "day" ? draft.key : null, draft.coverage) })),
    sort,
    currency,
  );
  const shown = all.slice(0, rowCount);
  const namesOf = await findRowNames(deps, { userId, by }, shown);
  const amazonClicks = by === "channel" ? await amazonClicksOfChannels(deps, range, input.places) : null;
  return {
    ...reportDays,
    currency,
    ratesDay: queries.referenceDay(rates, coverage.currencies),
    totals: figures({
      sums: CurrencySums.of(sales),
      people: sumOfPeople([...ofDays.values()]),
    }),
    matches: EARNINGS_MATCHES.flatMap((match) => {
      const matched = sales.filter((sale) => sale.match === match);
      return matched.length === 0 ? [] : [{ match, ...figures({ sums: CurrencySums.of(matched), people: null }) }];
    }),
    rows: shown.map((row) => ({ ...row, ...namesOf(row), amazonClicks: amazonClicks?.get(row.key) })),
    omittedRowCount: all.length - shown.length + omittedCount,
    areMore: summed?.areMore ?? false,
  };
}

interface TableInput {
  ofDays: ReadonlyMap<string, People>;
  sales: readonly rows.MatchedSale[];
  products: Awaited<ReturnType<typeof queries.sumByProduct>>;
  places: readonly PlacePeople[];
  coverage: Coverage;
  peopleBy(group: "link" | "label" | "product", sold: readonly string[]): ReturnType<typeof findPeople>;
}

async function readPlaces(reports: EarningsDependencies["reports"], { userId, clicks }: EarningsRange) {
  const { range, areMore } = await summedDays(reports, userId, clicks);
  return { range, areMore, places: await findPlacePeople(reports, { userId, range }) };
}

async function draftsBy(
  { db, clickReader }: EarningsDependencies,
  { userId, clicks }: EarningsRange,
  by: EarningsGroup,
  { ofDays, sales, products, places, coverage, peopleBy }: TableInput,
): Promise<{ drafts: rows.RowDraft[]; omittedCount?: number }> {
  const sold = [...new Set(sales.flatMap((sale) => sale.links))];
  switch (by) {
    case "link": {
      const { people, omittedCount } = await peopleBy("link", sold.map(String));
      const ids = [...new Set([...sold, ...[...people.keys()].map(Number)])];
      const links =
        ids.length > ORDERED_LINKS_MAX_COUNT
          ? ids.map((id) => ({ id, shortCode: String(id), marketplace: null }))
          : await findLinksById(db, userId, ids);
      return {
        drafts: rows.linkDrafts(sales, links, new Map([...people].map(([id, each]) => [Number(id), each])), coverage),
        omittedCount,
      };
    }
    case "label": {
      const labels = await queries.findLabelsOfLinks(db, userId, sold);
      const labelsOf = labelsOfLinks(labels);
      // Links that share a sale have a label in common, or the sale belongs to none.
      const keysOf = ({ links: [first = -1, ...others] }: rows.MatchedSale) =>
        labelsOf(first).filter((label) => others.every((id) => labelsOf(id).includes(label)));
      return { drafts: rows.groupDrafts(sales, keysOf, (await peopleBy("label", [])).people) };
    }
    case "channel": {
      const keysOf = ({ channelId }: rows.MatchedSale) => (channelId === null ? [] : [String(channelId)]);
      const storesOf = Map.groupBy([...places, ...sales], ({ channelId }) =>
        channelId === null ? null : String(channelId),
      );
      const coverageOf = (key: string | null) => coverage.of(storesOf.get(key)?.map(({ marketplace }) => marketplace));
      const peopleOf = (where: (place: PlacePeople) => boolean) =>
        addUpPeople(places.filter(where), ({ channelId }) => String(channelId));
      const ofStore = new Map(coverage.stores.map((store) => [store, coverage.of([store])]));
      const inReports = (what: Covered) =>
        peopleOf(({ marketplace, day }) => ofStore.get(marketplace)?.has(what, day) ?? false);
      const [earnings, orders] = [inReports("earnings"), inReports("orders")];
      const ofChannels = [...peopleOf(() => true)].map(([key, all]) => {
        return [key, { all, earnings: earnings.get(key) ?? 0, orders: orders.get(key) ?? 0 }] as const;
      });
      return { drafts: rows.groupDrafts(sales, keysOf, new Map(ofChannels), coverageOf) };
    }
    case "store": {
      const coverageOf = (store: string | null) => coverage.of(store === null ? undefined : [store]);
      const ofStores = await readPeople(clicks, coverageOf, async (range) =>
        addUpPeople(await readStorePeople(clickReader, places, { userId, range }), ({ marketplace }) => marketplace),
      );
      return { drafts: rows.groupDrafts(sales, ({ marketplace }) => [marketplace], ofStores, coverageOf) };
    }
    case "product": {
      const { people, omittedCount } = await peopleBy(
        "product",
        products.map(({ key }) => key),
      );
      return { drafts: keyedDrafts(products, people), omittedCount };
    }
    case "day":
      return { drafts: rows.groupDrafts(sales, ({ day }) => [day], ofDays) };
  }
}

/** The people of all links that the user had on each day. */
async function peopleOfDays(
  clickReader: Pick<ClickReader, "count">,
  { userId, clicks }: EarningsRange,
  coverage: Coverage,
): Promise<Map<string, People>> {
  const { series } = await clickReader.count({ userId, linkIds: null }, clicks, undefined);
  return new Map(
    clicks.starts.map((start, index) => {
      const [day, all] = [queries.dayAt(start), series[index]?.person ?? 0];
      const ofCovered = (what: "earnings" | "orders") => (coverage.has(what, day) ? all : 0);
      return [day, { all, earnings: ofCovered("earnings"), orders: ofCovered("orders") }];
    }),
  );
}

function peopleByDay(places: readonly PlacePeople[], coverage: Coverage): Map<string, People> {
  const ofStore = new Map(coverage.stores.map((store) => [store, coverage.of([store])]));
  const days = new Map<string, People>();
  for (const { day, marketplace, people } of places) {
    const inReports = (what: Covered) => (ofStore.get(marketplace)?.has(what, day) ? people : 0);
    const own = { all: people, earnings: inReports("earnings"), orders: inReports("orders") };
    days.set(day, sumOfPeople([days.get(day) ?? NO_PEOPLE, own]));
  }
  return days;
}

async function amazonClicksOfChannels(
  { reports, clickReader }: EarningsDependencies,
  range: EarningsRange,
  places: readonly PlacePeople[],
) {
  const sums = new Map<string | null, { clicks: number; people: number }>();
  for (const { channelId, clicks, people } of await readAmazonClicks({ db: reports, clickReader }, range, places)) {
    const sum = sums.get(String(channelId)) ?? { clicks: 0, people: 0 };
    sums.set(String(channelId), { clicks: sum.clicks + clicks, people: sum.people + people });
  }
  return sums;
}

function labelsOfLinks(labels: readonly { linkId: number; labelId: number }[]) {
  const labelsOf = Map.groupBy(labels, ({ linkId }) => linkId);
  return (id: number) => (labelsOf.get(id) ?? []).map(({ labelId }) => String(labelId));
}

function keyedDrafts(
  found: readonly (Amounts & { key: string; currency: string })[],
  people: ReadonlyMap<string, People>,
): rows.RowDraft[] {
  const sales = found.map(({ key, currency, ...amounts }) => ({ key, currency, amounts }));
  return rows.groupDrafts(sales, ({ key }) => (key === "" ? [] : [key]), people);
}
