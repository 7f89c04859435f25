import type { EarningsOrder, EarningsRow } from "@tapthru/proto/earnings";
import type { EarningsMatch } from "@tapthru/proto/rules/earnings";
import type { Coverage } from "./coverage.ts";
import { type Amounts, CurrencySums, convertedEarnings, itemsOf, perPerson } from "./figures.ts";
import { NO_PEOPLE, type People, sumOfPeople } from "./people.ts";
import type { Rates } from "./queries.ts";

export interface MatchedSale {
  match: EarningsMatch;
  links: readonly number[];
  channelId: number | null;
  /** Empty: of all days. */
  day: string;
  marketplace: string;
  currency: string;
  asin: string;
  amounts: Amounts;
}

export interface RowDraft {
  key: string | null;
  match: EarningsMatch | null;
  linkIds: readonly number[];
  asin: string | null;
  sums: CurrencySums;
  people: People | null;
  /** Some of what the link earned is in rows of several links. */
  isShared: boolean;
  /** The days of the reports of its stores; undefined: of all. */
  coverage: Coverage | undefined;
}

const EMPTY = { match: null, linkIds: [], asin: null, people: null, isShared: false, coverage: undefined };

/** Rows by a text that is unique in the table. */
type RowDrafts = Map<string, RowDraft>;

function findOrAdd(drafts: RowDrafts, id: string, row: Partial<RowDraft> & Pick<RowDraft, "key">): RowDraft {
  const found = drafts.get(id) ?? { ...EMPTY, sums: new CurrencySums(), ...row };
  drafts.set(id, found);
  return found;
}

interface TableLink {
  id: number;
  shortCode: string;
  /** Null if it is not known. */
  marketplace: string | null;
}

/** Returns rows by link: links, then groups of links that share tracking id and product, channels, and what was not matched. */
export function linkDrafts(
  sales: readonly MatchedSale[],
  links: readonly TableLink[],
  people: ReadonlyMap<number, People>,
  coverage: Coverage,
): RowDraft[] {
  const drafts: RowDrafts = new Map();
  const known = new Map(links.map((link) => [link.id, link]));
  const otherStores = Map.groupBy(
    sales.flatMap(({ links: ids, marketplace }) => ids.map((id) => ({ id, marketplace }))),
    ({ id }) => id,
  );
  function coverageOf(id: number): Coverage {
    const marketplace = known.get(id)?.marketplace;
    return coverage.of(
      marketplace ? [marketplace, ...(otherStores.get(id) ?? []).map((sale) => sale.marketplace)] : undefined,
    );
  }
  const peopleOf = (ids: readonly number[]) => sumOfPeople(ids.map((id) => people.get(id) ?? NO_PEOPLE));
  const shared = new Set(sales.flatMap(({ match, links: ids }) => (match === "links" ? [...ids] : [])));
  const linkRow = (id: number) =>
    findOrAdd(drafts, `link ${id}`, {
      key: known.get(id)?.shortCode ?? null,
      match: "link",
      linkIds: [id],
      people: peopleOf([id]),
      isShared: shared.has(id),
      coverage: coverageOf(id),
    });
  for (const { match, links: ids, channelId, asin, currency, amounts } of sales) {
    const [id] = ids;
    const row =
      match === "link" && id !== undefined
        ? linkRow(id)
        : match === "links"
          ? findOrAdd(drafts, `links ${ids.join()}`, {
              key: null,
              match,
              linkIds: ids,
              asin,
              people: peopleOf(ids),
            })
          : findOrAdd(drafts, `${match} ${channelId}`, {
              key: channelId === null ? null : String(channelId),
              match,
            });
    row.sums.add(currency, amounts);
  }
  for (const { id } of links) if (people.has(id) && !shared.has(id)) linkRow(id);
  return [...drafts.values()];
}

/** Groups sales by something other than links. @param keysOf the keys of a sale; none: it belongs to no key */
export function groupDrafts<Sale extends { currency: string; amounts: Amounts }>(
  sales: readonly Sale[],
  keysOf: (sale: Sale) => readonly string[],
  peopleOfKey: ReadonlyMap<string, People>,
  coverageOf: (key: string | null) => Coverage | undefined = () => undefined,
): RowDraft[] {
  const drafts: RowDrafts = new Map();
  const rowOf = (key: string | null) =>
    findOrAdd(drafts, key === null ? "" : `=${key}`, {
      key,
      people: key === null ? null : (peopleOfKey.get(key) ?? NO_PEOPLE),
      coverage: coverageOf(key),
    });
  for (const sale of sales) {
    const keys = keysOf(sale);
    for (const key of keys.length === 0 ? [null] : keys) {
      rowOf(key).sums.add(sale.currency, sale.amounts);
    }
  }
  for (const [key, { all }] of peopleOfKey) if (all > 0) rowOf(key);
  return [...drafts.values()];
}

export type Figures = Omit<EarningsRow, "key" | "name" | "links" | "match">;

interface FiguresContext {
  currency: string | null;
  rates: Rates;
  coverage: Coverage;
}

/** @param day of the row, if it has one */
export function figuresOf(
  { sums, people, isShared = false }: Pick<RowDraft, "sums" | "people"> & { isShared?: boolean },
  { currency, rates, coverage }: FiguresContext,
  day: string | null = null,
): Figures {
  const list = sums.list().map((each) => coverage.known(each, day));
  const ofTable = convertedEarnings(list, currency, rates);
  const [only] = list.length === 1 ? list : [];
  const hasOwn = ofTable === null && only !== undefined && currency !== only.currency;
  const hasEarnings = coverage.has("earnings", day);
  const items = (item: "ordered" | "shipped" | "returned") =>
    itemsOf(list, item) ?? (list.length === 0 && coverage.hasItems(item, day) ? 0 : null);
  const earnings = hasEarnings ? (hasOwn ? only.earnings : ofTable) : null;
  const ordered = items("ordered");
  return {
    sums: list,
    currency: hasOwn ? only.currency : currency,
    earnings,
    ordered,
    shipped: items("shipped"),
    returned: items("returned"),
    people: people?.all ?? null,
    earningsPerClick: isShared ? null : perPerson(earnings, people?.earnings),
    conversion: isShared ? null : perPerson(ordered, people?.orders),
  };
}

/** Largest first, unknown ones last, those in the currency of the table before others; equal ones by ordered items, then by key. */
export function inOrder<Row extends Pick<EarningsRow, "key"> & Figures>(
  rows: readonly Row[],
  sort: EarningsOrder,
  currency: string | null,
): Row[] {
  const byKey = (a: Row, b: Row) =>
    a.key === b.key ? 0 : a.key === null ? 1 : b.key === null ? -1 : a.key < b.key ? -1 : 1;
  if (sort === "key") return rows.toSorted(byKey);
  const field = sort === "earnings-per-click" ? "earningsPerClick" : sort;
  const isAmount = field === "earnings" || field === "earningsPerClick";
  const value = (row: Row) => row[field] ?? Number.NEGATIVE_INFINITY;
  // Amounts of different currencies say nothing about each other.
  const currencyOf = (row: Row) => (isAmount && row[field] !== null ? (row.currency ?? "") : "");
  const ordered = (row: Row) => row.ordered ?? 0;
  return rows.toSorted((a, b) => {
    const [first, second] = [value(a), value(b)];
    const [own, other] = [currencyOf(a), currencyOf(b)];
    if (own !== other && own !== "" && other !== "") {
      return own === currency ? -1 : other === currency || own > other ? 1 : -1;
    }
    if (first !== second) return second > first ? 1 : -1;
    return ordered(b) - ordered(a) || byKey(a, b);
  });
}
