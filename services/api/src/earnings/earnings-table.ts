import type { EarningsGroup, EarningsOrder, EarningsTable } from "@tapthru/proto/http/earnings";
import { EARNINGS_MATCHES } from "@tapthru/proto/rules/earnings";
import type { ClickRange } from "@tapthru/runtime/clicks/click-range";
import type { ClickStore } from "@tapthru/runtime/clicks/click-store";
import type { TagMatcher } from "@tapthru/runtime/earnings/match-tags";
import { type LinkRow, readMatcher } from "@tapthru/runtime/earnings/read-matcher";
import { addUpPeople, readStorePeople } from "@tapthru/runtime/earnings/store-people";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import type * as z from "zod/mini";
import { Coverage } from "./coverage.ts";
import { type Amounts, CurrencySums, commonCurrency } from "./figures.ts";
import { NO_PEOPLE, type People, readPeople, sumOfPeople } from "./people.ts";
import * as queries from "./queries.ts";
import { findRowNames } from "./row-names.ts";
import * as rows from "./table-rows.ts";

export interface EarningsDependencies {
  db: Db<"any" | "maybeOne" | "oneFirst">;
  clickStore: Pick<ClickStore, "count" | "people">;
  publicBaseUrl: string;
}

export interface EarningsRange extends queries.OwnDays {
  /** The same days in UTC. */
  clicks: ClickRange;
}

interface TableQuery {
  by: EarningsGroup;
  sort: z.infer<typeof EarningsOrder>;
  /** Of rows; null: all. */
  limit: number | null;
}

export async function earningsTable(
  deps: EarningsDependencies,
  range: EarningsRange,
  { by, sort, limit }: TableQuery,
): Promise<EarningsTable> {
  const { db, clickStore } = deps;
  const { userId, from, to } = range;
  const coverage = new Coverage(range.clicks, await queries.findCoveredDays(db, range));
  const [{ links, matcher, sales }, people, rates, reportedUntil] = await Promise.all([
    readMatchedSales(db, range, by === "day"),
    readPeople(range.clicks, coverage, (each) => clickStore.people(userId, each)),
    queries.findRates(db, userId),
    queries.findReportedUntil(db, userId),
  ]);
  const currency = commonCurrency(rates, coverage.currencies);
  const figures = (draft: Parameters<typeof rows.figuresOf>[0], day: string | null = null) =>
    rows.figuresOf(draft, { currency, rates, coverage }, day);
  const drafts = await draftsBy(deps, range, by, { links, matcher, sales, people, coverage });
  const all = rows.inOrder(
    drafts.map((draft) => ({ ...draft, ...figures(draft, by === "day" ? draft.key : null) })),
    sort,
    currency,
  );
  const shown = all.slice(0, limit ?? all.length);
  const nameOf = await findRowNames(deps, { userId, by }, shown);
  const codes = new Map(links.map(({ id, shortCode }) => [id, shortCode]));
  return {
    from,
    to,
    currency,
    reportedUntil,
    totals: figures({
      sums: CurrencySums.of(sales),
      people: sumOfPeople(links.map(({ id }) => people.get(id) ?? NO_PEOPLE)),
    }),
    matches: EARNINGS_MATCHES.flatMap((match) => {
      const matched = sales.filter((sale) => sale.match === match);
      return matched.length === 0
        ? []
        : [{ match, ...figures({ sums: CurrencySums.of(matched), people: null }) }];
    }),
    rows: shown.map((row) => ({
      ...row,
      name: nameOf(row),
      links: row.match === "links" ? row.linkIds.map((id) => codes.get(id) ?? "") : [],
    })),
    omittedRowCount: all.length - shown.length,
  };
}

async function readMatchedSales(db: Db<"any">, range: EarningsRange, hasDays: boolean) {
  const { links, matcher } = await readMatcher(db, range.userId);
  const found = await queries.findSales(db, range, { hasDays, asins: matcher.asins() });
  const sales = found.map((sale) => matched(matcher, sale));
  return { links, matcher, sales };
}

export function matched(matcher: TagMatcher, sale: queries.SalesRow): rows.MatchedSale {
  const { day, marketplace, currency, asin, earnings, revenue, ordered, shipped, returned } = sale;
  const amounts = { earnings, revenue, ordered, shipped, returned };
  return { ...matcher.match(sale), day, marketplace, currency, asin, amounts };
}

interface TableInput {
  links: readonly LinkRow[];
  matcher: TagMatcher;
  sales: readonly rows.MatchedSale[];
  people: ReadonlyMap<number, People>;
  coverage: Coverage;
}

async function draftsBy(
  { db, clickStore }: EarningsDependencies,
  range: EarningsRange,
  by: EarningsGroup,
  { links, matcher, sales, people, coverage }: TableInput,
): Promise<rows.RowDraft[]> {
  const { userId } = range;
  switch (by) {
    case "link":
      return rows.linkDrafts(sales, links, people);
    case "label": {
      const labels = await queries.findLinksOfLabels(db, userId);
      const labelsOf = labelsOfLinks(labels);
      // Links that share a sale have a label in common, or the sale belongs to none.
      return rows.groupDrafts(
        sales,
        ({ links: [first = -1, ...others] }) =>
          labelsOf(first).filter((label) => others.every((id) => labelsOf(id).includes(label))),
        rows.addUp(links, people, ({ id }) => labelsOf(id)),
      );
    }
    case "channel":
      return rows.groupDrafts(
        sales,
        ({ channelId }) => (channelId === null ? [] : [String(channelId)]),
        rows.addUp(links, people, ({ id, channelId }) => [
          String(matcher.placeOf(id)?.channelId ?? channelId),
        ]),
      );
    case "store":
      return rows.groupDrafts(
        sales,
        ({ marketplace }) => [marketplace],
        await readPeople(range.clicks, coverage, async (each) =>
          addUpPeople(
            await readStorePeople(
              clickStore,
              { userId, range: each },
              { links, matcher, people: await clickStore.people(userId, each) },
            ),
            ({ marketplace }) => marketplace,
          ),
        ),
      );
    case "product": {
      const ofProducts = rows.addUp(links, people, ({ id }) => matcher.asins(id));
      return keyedDrafts(await queries.sumByProduct(db, range), ofProducts);
    }
    case "day": {
      const { series } = await clickStore.count({ userId, link: null }, range.clicks, undefined);
      const days = range.clicks.starts.map(queries.dayAt);
      const ofDays = new Map(
        days.map((day, index): [string, People] => {
          const all = series[index]?.person ?? 0;
          return [day, { all, earnings: all, orders: all }];
        }),
      );
      return rows.groupDrafts(sales, ({ day }) => [day], ofDays);
    }
  }
}

function labelsOfLinks(labels: readonly { labelId: number; linkIds: readonly number[] }[]) {
  const labelsOf = new Map<number, string[]>();
  for (const { labelId, linkIds } of labels) {
    for (const linkId of linkIds) {
      const ofLink = labelsOf.get(linkId);
      if (ofLink === undefined) labelsOf.set(linkId, [String(labelId)]);
      else ofLink.push(String(labelId));
    }
  }
  return (linkId: number): readonly string[] => labelsOf.get(linkId) ?? [];
}

function keyedDrafts(
  found: readonly (Amounts & { key: string; currency: string })[],
  people: ReadonlyMap<string, People>,
): rows.RowDraft[] {
  const sales = found.map(({ key, currency, ...amounts }) => ({ key, currency, amounts }));
  return rows.groupDrafts(sales, ({ key }) => (key === "" ? [] : [key]), people);
}
