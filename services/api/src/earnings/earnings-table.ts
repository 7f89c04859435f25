import type { ClickRange } from "@tapthru/core/clicks/click-range";
import type { ClickReader } from "@tapthru/core/clicks/click-reader";
import { readAmazonClicks } from "@tapthru/core/earnings/amazon-clicks";
import { addUpPeople, readStorePeople } from "@tapthru/core/earnings/store-people";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { EarningsGroup, EarningsOrder, EarningsTable } from "@tapthru/proto/earnings";
import { EARNINGS_MATCHES } from "@tapthru/proto/rules/earnings";
import { EARNINGS_CSV_MAX_COUNT } from "@tapthru/proto/rules/limits";
import type { FragmentSqlToken } from "slonik";
import { Coverage } from "./coverage.ts";
import { type Amounts, CurrencySums, commonCurrency } from "./figures.ts";
import { findLinkPeople, sumPeople } from "./link-people.ts";
import { type People, peopleOfLinks, readPeople, sumOfPeople } from "./people.ts";
import * as queries from "./queries.ts";
import { findRowNames } from "./row-names.ts";
import { findSales } from "./sales.ts";
import * as rows from "./table-rows.ts";

export interface EarningsDependencies {
  db: Db<"any" | "maybeOne" | "oneFirst">;
  /** For what adds up the people of all links of a user. */
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
  /** Of rows; null: as many as a CSV may have. */
  limit: number | null;
}

export async function earningsTable(
  deps: EarningsDependencies,
  range: EarningsRange,
  { by, sort, limit }: TableQuery,
): Promise<EarningsTable> {
  const { db, reports, clickReader } = deps;
  const { userId, from, to } = range;
  const coverage = new Coverage(range.clicks, await queries.findCoveredDays(db, range));
  const people = peopleOfLinks({ userId, range: range.clicks, coverage });
  const [sales, rates, reportedUntil] = await Promise.all([
    findSales(db, range, { hasDays: by === "day" }),
    queries.findRates(db, userId),
    queries.findReportedUntil(db, userId),
  ]);
  const rowCount = limit ?? EARNINGS_CSV_MAX_COUNT;
  const currency = commonCurrency(rates, coverage.currencies);
  const figures = (draft: Parameters<typeof rows.figuresOf>[0], day: string | null = null) =>
    rows.figuresOf(draft, { currency, rates, coverage }, day);
  const ofLinks =
    by === "link"
      ? await findLinkPeople(reports, {
          userId,
          people,
          sort,
          limit: rowCount,
          sold: [...new Set(sales.flatMap(({ links }) => links))],
        })
      : null;
  const ofDays = await peopleOfDays(clickReader, range, coverage);
  const drafts = await draftsBy(deps, range, by, { ofLinks, ofDays, sales, people, coverage });
  const all = rows.inOrder(
    drafts.map((draft) => ({ ...draft, ...figures(draft, by === "day" ? draft.key : null) })),
    sort,
    currency,
  );
  const shown = all.slice(0, rowCount);
  const namesOf = await findRowNames(deps, { userId, by }, shown);
  const amazonClicks = by === "channel" ? await amazonClicksOfChannels(deps, range) : null;
  return {
    from,
    to,
    currency,
    reportedUntil,
    totals: figures({
      sums: CurrencySums.of(sales),
      people: sumOfPeople([...ofDays.values()]),
    }),
    matches: EARNINGS_MATCHES.flatMap((match) => {
      const matched = sales.filter((sale) => sale.match === match);
      return matched.length === 0 ? [] : [{ match, ...figures({ sums: CurrencySums.of(matched), people: null }) }];
    }),
    rows: shown.map((row) => ({ ...row, ...namesOf(row), amazonClicks: amazonClicks?.get(row.key) })),
    omittedRowCount: all.length - shown.length + (ofLinks?.omittedCount ?? 0),
  };
}

interface TableInput {
  /** Only by link. */
  ofLinks: Awaited<ReturnType<typeof findLinkPeople>> | null;
  ofDays: ReadonlyMap<string, People>;
  sales: readonly rows.MatchedSale[];
  people: FragmentSqlToken;
  coverage: Coverage;
}

async function draftsBy(
  { db, reports, clickReader }: EarningsDependencies,
  range: EarningsRange,
  by: EarningsGroup,
  { ofLinks, ofDays, sales, people, coverage }: TableInput,
): Promise<rows.RowDraft[]> {
  const { userId } = range;
  switch (by) {
    case "link":
      return rows.linkDrafts(sales, ofLinks?.links ?? [], ofLinks?.people ?? new Map());
    case "label": {
      const sold = [...new Set(sales.flatMap((sale) => sale.links))];
      const labels = await queries.findLabelsOfLinks(db, userId, sold);
      const labelsOf = labelsOfLinks(labels);
      // Links that share a sale have a label in common, or the sale belongs to none.
      return rows.groupDrafts(
        sales,
        ({ links: [first = -1, ...others] }) =>
          labelsOf(first).filter((label) => others.every((id) => labelsOf(id).includes(label))),
        await sumPeople(reports, userId, people, "label"),
      );
    }
    case "channel":
      return rows.groupDrafts(
        sales,
        ({ channelId }) => (channelId === null ? [] : [String(channelId)]),
        await sumPeople(reports, userId, people, "channel"),
      );
    case "store":
      return rows.groupDrafts(
        sales,
        ({ marketplace }) => [marketplace],
        await readPeople(range.clicks, coverage, async (each) =>
          addUpPeople(
            await readStorePeople({ db: reports, clickReader }, { userId, range: each }),
            ({ marketplace }) => marketplace,
          ),
        ),
      );
    case "product": {
      const ofProducts = await sumPeople(reports, userId, people, "product");
      return keyedDrafts(await queries.sumByProduct(db, range), ofProducts);
    }
    case "day":
      return rows.groupDrafts(sales, ({ day }) => [day], ofDays);
  }
}

/** Of all links that the user had on each day. */
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

/** Adds up Amazon's clicks by the key of the channel's row. */
async function amazonClicksOfChannels({ reports, clickReader }: EarningsDependencies, range: EarningsRange) {
  const sums = new Map<string | null, { clicks: number; people: number }>();
  for (const { channelId, clicks, people } of await readAmazonClicks({ db: reports, clickReader }, range)) {
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
