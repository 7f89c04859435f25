import type {
  EarningsOrder,
  EarningsRates,
  EarningsRow,
  EarningsSums,
} from "@tapthru/proto/http/earnings";
import type { EarningsMatch } from "@tapthru/proto/rules/earnings";
import type { Match } from "@tapthru/runtime/earnings/match-tags";
import type * as z from "zod/mini";
import { type Amounts, CurrencySums, convertedEarnings, earningsPerClick } from "./figures.ts";

/** A sale with what it was matched with. */
export interface MatchedSale extends Match {
  /** Empty: of all days. */
  day: string;
  marketplace: string;
  currency: string;
  asin: string;
  amounts: Amounts;
}

/** A row of the table before it has names. */
export interface RowDraft {
  key: string | null;
  match: EarningsMatch | null;
  linkIds: readonly number[];
  /** The product of links that share one, or of the row. */
  asin: string | null;
  sums: CurrencySums;
  people: number | null;
  /** Some of what the link earned is in rows of several links. */
  isShared: boolean;
}

const EMPTY = { match: null, linkIds: [], asin: null, people: null, isShared: false };

/** Rows by a text that is unique in the table. */
type RowDrafts = Map<string, RowDraft>;

function findOrAdd(
  drafts: RowDrafts,
  id: string,
  row: Partial<RowDraft> & Pick<RowDraft, "key">,
): RowDraft {
  const found = drafts.get(id) ?? { ...EMPTY, sums: new CurrencySums(), ...row };
  drafts.set(id, found);
  return found;
}

export interface TableLink {
  id: number;
  shortCode: string;
  channelId: number;
}

/** By link: links, then groups of links that share tracking id and product, channels, and what was not matched. */
export function linkDrafts(
  sales: readonly MatchedSale[],
  links: readonly TableLink[],
  people: ReadonlyMap<number, number>,
): RowDraft[] {
  const drafts: RowDrafts = new Map();
  const codes = new Map(links.map(({ id, shortCode }) => [id, shortCode]));
  const peopleOf = (ids: readonly number[]) =>
    ids.reduce((sum, id) => sum + (people.get(id) ?? 0), 0);
  const shared = new Set(
    sales.flatMap(({ match, links: ids }) => (match === "links" ? [...ids] : [])),
  );
  const linkRow = (id: number) =>
    findOrAdd(drafts, `link ${id}`, {
      key: codes.get(id) ?? null,
      match: "link",
      linkIds: [id],
      people: peopleOf([id]),
      isShared: shared.has(id),
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
  for (const { id } of links) if ((people.get(id) ?? 0) > 0 && !shared.has(id)) linkRow(id);
  return [...drafts.values()];
}

/** By something else than links. @param keysOf the keys of a sale; none: it belongs to no key */
export function groupDrafts<Sale extends { currency: string; amounts: Amounts }>(
  sales: readonly Sale[],
  keysOf: (sale: Sale) => readonly string[],
  peopleOfKey: ReadonlyMap<string, number>,
): RowDraft[] {
  const drafts: RowDrafts = new Map();
  const rowOf = (key: string | null) =>
    findOrAdd(drafts, key === null ? "" : `=${key}`, {
      key,
      people: key === null ? null : (peopleOfKey.get(key) ?? 0),
    });
  for (const sale of sales) {
    const keys = keysOf(sale);
    for (const key of keys.length === 0 ? [null] : keys) {
      rowOf(key).sums.add(sale.currency, sale.amounts);
    }
  }
  for (const [key, people] of peopleOfKey) if (people > 0) rowOf(key);
  return [...drafts.values()];
}

/** People by key. */
export function addUp(
  links: readonly TableLink[],
  people: ReadonlyMap<number, number>,
  keysOf: (link: TableLink) => readonly string[],
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const link of links) {
    const count = people.get(link.id) ?? 0;
    for (const key of count === 0 ? [] : keysOf(link)) sums.set(key, (sums.get(key) ?? 0) + count);
  }
  return sums;
}

export interface Figures {
  sums: EarningsSums[];
  earnings: number | null;
  people: number | null;
  earningsPerClick: number | null;
}

export function figuresOf(
  { sums, people, isShared = false }: Pick<RowDraft, "sums" | "people"> & { isShared?: boolean },
  currency: string | null,
  rates: EarningsRates,
): Figures {
  const list = sums.list();
  const earnings = convertedEarnings(list, currency, rates);
  return {
    sums: list,
    earnings,
    people,
    earningsPerClick: isShared ? null : earningsPerClick(earnings, people),
  };
}

/** Largest first, unknown ones last; equal ones by ordered items, then by key. */
export function inOrder<Row extends Pick<EarningsRow, "key"> & Figures>(
  rows: readonly Row[],
  sort: z.infer<typeof EarningsOrder>,
): Row[] {
  const byKey = (a: Row, b: Row) =>
    a.key === b.key ? 0 : a.key === null ? 1 : b.key === null ? -1 : a.key < b.key ? -1 : 1;
  if (sort === "key") return rows.toSorted(byKey);
  const field = sort === "earnings-per-click" ? "earningsPerClick" : sort;
  const value = (row: Row) => row[field] ?? Number.NEGATIVE_INFINITY;
  const ordered = (row: Row) => row.sums.reduce((sum, each) => sum + each.ordered, 0);
  return rows.toSorted((a, b) => {
    const [first, second] = [value(a), value(b)];
    if (first !== second) return second > first ? 1 : -1;
    return ordered(b) - ordered(a) || byKey(a, b);
  });
}
