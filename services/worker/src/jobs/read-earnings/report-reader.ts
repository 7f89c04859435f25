import type { ReportKind } from "@tapthru/proto/rules/earnings";
import { type ReadDate, readDate } from "@tapthru/proto/rules/read-date";
import { commonCurrencies, currenciesOf } from "./currencies.ts";
import { type Column, type Columns, type Heading, isTotal, REQUIRED } from "./headings.ts";
import { createNumberReader, isAmount, isNumber } from "./numbers.ts";
import { createDatesReader, type DatesResult, type Orders } from "./period.ts";
import { ReportRefusal } from "./refusal.ts";

export const SUMS = ["earnings", "revenue", "ordered", "shipped", "returned", "clicks"] as const;
export const AMOUNTS: ReadonlySet<string> = new Set(["earnings", "revenue"]);
/** Amounts in the smallest unit of the currency, and numbers of items; null: the report does not have them. */
export type Sums = Record<(typeof SUMS)[number], number | null>;

/** A row of a report, or several that agree in everything but these numbers. */
export interface ReportRow extends Sums {
  day: string;
  /** Empty in reports without. */
  tag: string;
  /** Empty in reports without. */
  asin: string;
  isDirect: boolean | null;
  /** The name of the product; empty if unknown. */
  name: string;
  category: string;
}

/** A row of totals, without the earnings that it needs or with a cell too many; or a heading whose column has unknown amounts. */
export interface UnreadLine {
  line: number;
  text: string;
}

export interface ReportText {
  kind: ReportKind;
  heading: Heading;
  headingLine: number;
  headingCells: readonly string[];
  /** The text before the headings. */
  title: string;
}

export interface ReportReader {
  /**
   * Null for a row without figures of its own: empty, the totals, without the earnings that it needs, or with a cell too many.
   * @throws ReportRefusal
   */
  read(cells: readonly string[], line: number): ReportRow | null;
  /** @throws ReportRefusal */
  end(): DatesResult;
  readonly unreadLines: readonly UnreadLine[];
  /** The first amount, if nothing in the report shows whether it has decimal places. */
  readonly unclear: ReportRefusal | null;
  /** The currencies that headings and cells name; null: they name none. */
  readonly currencies: readonly string[] | null;
}

interface Options {
  orders: Orders;
  digits: number;
  lastDay: string;
}

/** Amounts come from the columns of the kind alone. */
const SUMS_OF: Readonly<Record<ReportKind, readonly (keyof Sums)[]>> = {
  earnings: ["earnings", "revenue", "shipped", "returned"],
  orders: ["ordered"],
  tracking: ["earnings", "revenue", "ordered", "shipped", "clicks"],
  "daily-trends": ["ordered", "clicks"],
  bounties: ["earnings", "ordered"],
};
/** Any of them is the number of ordered items. */
const ORDERED: readonly Column[] = ["quantity", "ordered", "orderedAtAmazon", "orderedAtOthers"];
const HAS_PRODUCTS: ReadonlySet<ReportKind> = new Set(["earnings", "orders"]);
const UNREAD_LINES_MAX_COUNT = 100;
const ASIN = /^[A-Z\d]{10}$/i;
const TAG_MAX_LENGTH = 64;
const NAME_MAX_LENGTH = 300;
/** Dates repeat: reading one takes longer than finding it. */
const REMEMBERED_DATES = 1_000;

export function createReportReader(text: ReportText, options: Options): ReportReader {
  const { kind, heading, headingLine, headingCells, title } = text;
  const { columns } = heading;
  const numbers = createNumberReader();
  const dates = createDatesReader(title, options.orders, options.lastDay);
  let firstUnclear: ReportRefusal | null = null;
  const knownDates = new Map<string, ReadDate | null>();
  const unreadLines: UnreadLine[] = [];
  let usualSurplus: number | undefined;
  const isForeign = (column: Column) =>
    [...ORDERED, ...SUMS].includes(column) &&
    !SUMS_OF[kind].some((sum) => sum === (ORDERED.includes(column) ? "ordered" : column));
  /** Amounts in them are in no sum. */
  let unread = [
    ...heading.unknown,
    ...heading.withoutAmounts,
    ...(Object.keys(columns) as Column[]).filter(isForeign).map((column) => columns[column] ?? 0),
  ];
  if (kind === "tracking" && dates.titles.length === 0) {
    throw new ReportRefusal("unclear-date", Math.max(1, headingLine - 1), title);
  }

  function leaveOut(line: number, text: string): void {
    const refusal = new ReportRefusal("unreadable-file", line, text);
    if (unreadLines.length === UNREAD_LINES_MAX_COUNT) throw refusal;
    unreadLines.push({ line, text: refusal.text ?? "" });
  }

  function cellOf(cells: readonly string[], column: Column): string {
    const index = columns[column];
    return index === undefined ? "" : (cells[index] ?? "").trim();
  }

  function dayOf(cells: readonly string[], line: number): string {
    if (kind === "tracking") return dates.titles[0]?.firstDay ?? "";
    const text = cellOf(cells, "date");
    let date = knownDates.get(text);
    if (date === undefined) {
      date = readDate(text);
      if (knownDates.size >= REMEMBERED_DATES) knownDates.clear();
      knownDates.set(text, date);
    }
    if (date === null) throw new ReportRefusal("unclear-date", line, text);
    const day = dates.add(date);
    if (day === null) throw new ReportRefusal("date-out-of-range", line, text);
    return day;
  }

  function numberOf(cells: readonly string[], line: number, column: Column): number | null {
    if (columns[column] === undefined) return null;
    const text = cellOf(cells, column);
    const value = AMOUNTS.has(column) ? numbers.readAmount(text, options.digits) : numbers.readCount(text);
    if (value === null) throw new ReportRefusal("unclear-number", line, text);
    if (numbers.isUnclear) firstUnclear ??= new ReportRefusal("unclear-number", line, text);
    return value;
  }

  function sumsOf(cells: readonly string[], line: number): Sums {
    const read = (column: Column) => numberOf(cells, line, column);
    const has = (sum: keyof Sums) => SUMS_OF[kind].includes(sum);
    const shipped = has("shipped") ? read("shipped") : null;
    const returned = has("returned") ? read("returned") : null;
    return {
      earnings: has("earnings") ? read("earnings") : null,
      revenue: has("revenue") ? read("revenue") : null,
      ordered: has("ordered") ? orderedOf(read) : null,
      clicks: has("clicks") ? read("clicks") : null,
      // A return may be a row with a negative number of shipped items.
      shipped: shipped === null ? null : Math.max(0, shipped),
      returned: kind === "earnings" ? Math.max(Math.abs(returned ?? 0), -Math.min(0, shipped ?? 0)) : null,
    };
  }

  return {
    unreadLines,
    get unclear() {
      return numbers.isUnclear ? firstUnclear : null;
    },
    get currencies() {
      return commonCurrencies([heading.currencies, numbers.currencies]);
    },

    read(cells, line) {
      if (cells.length < headingCells.length && !hasTotals(cells, columns)) {
        throw new ReportRefusal("unreadable-file", line, cells.join(" "));
      }
      const surplus = Math.max(0, cells.length - headingCells.length);
      if (surplus > (usualSurplus ?? surplus) || cells.slice(headingCells.length).some(hasText)) {
        leaveOut(line, cells.filter(hasText).join(", "));
        return null;
      }
      usualSurplus ??= surplus;
      const lacksEarnings = REQUIRED[kind].includes("earnings") && cellOf(cells, "earnings") === "";
      if (lacksEarnings || hasTotals(cells, columns)) {
        if (cells.some(hasText)) leaveOut(line, cells.filter(hasText).join(", "));
        return null;
      }
      const withAmounts = unread.filter((index) =>
        (heading.withoutAmounts.includes(index) ? isAmount : isNumber)(cells[index] ?? ""),
      );
      for (const index of withAmounts) leaveOut(headingLine, headingCells[index] ?? "");
      if (withAmounts.length > 0) unread = unread.filter((index) => !withAmounts.includes(index));
      const asin = HAS_PRODUCTS.has(kind) ? cellOf(cells, "asin").toUpperCase() : "";
      return {
        day: dayOf(cells, line),
        tag: kind === "daily-trends" ? "" : cellOf(cells, "tag").slice(0, TAG_MAX_LENGTH).toWellFormed(),
        asin: ASIN.test(asin) ? asin : "",
        isDirect: HAS_PRODUCTS.has(kind) ? isDirect(cells, cellOf) : null,
        name: cellOf(cells, "name").slice(0, NAME_MAX_LENGTH).toWellFormed(),
        category: cellOf(cells, "category").slice(0, NAME_MAX_LENGTH).toWellFormed(),
        ...sumsOf(cells, line),
      };
    },

    end() {
      const result = dates.end();
      if (result === null) throw new ReportRefusal("date-out-of-range");
      return result;
    },
  };
}

/** Empty, or totals: those of Amazon have numbers alone, no product, tracking id or date. */
function hasTotals(cells: readonly string[], columns: Columns): boolean {
  const first = cells.find(hasText)?.trim();
  const hasProduct = columns.asin !== undefined && ASIN.test(cells[columns.asin] ?? "");
  if (first === undefined || (isTotal(first) && !hasProduct)) return true;
  const keys = (["asin", "tag", "date"] as const).flatMap((column) => columns[column] ?? []);
  const hasKey = (index: number) => hasText(cells[index] ?? "") && !isTotal(cells[index] ?? "");
  return !keys.some(hasKey) && cells.every((cell) => isTotal(cell) || !hasWords(cell));
}

/** Other ones than a currency. */
function hasWords(cell: string): boolean {
  return /\p{L}/u.test(cell) && currenciesOf(cell.replaceAll(/[^\p{L}\p{Sc}]/gu, "")) === null;
}

function hasText(cell: string): boolean {
  return /\S/.test(cell);
}

function orderedOf(read: (column: Column) => number | null): number | null {
  const total = read("quantity") ?? read("ordered");
  if (total !== null) return total;
  const [amazon, others] = [read("orderedAtAmazon"), read("orderedAtOthers")];
  return amazon === null && others === null ? null : (amazon ?? 0) + (others ?? 0);
}

const YES = /^(?:yes|y|true|1|sì|si|sí|sim|ja|oui|tak|evet|نعم|はい)$/i;
const NO = /^(?:no|n|false|0|nein|non|não|nee|nej|nie|hayır|لا|いいえ)$/i;

/** `di` and `ndi` mean the same in columns of direct and of indirect sales. */
function isDirect(
  cells: readonly string[],
  cellOf: (cells: readonly string[], column: Column) => string,
): boolean | null {
  const [direct, indirect] = [cellOf(cells, "direct"), cellOf(cells, "indirect")];
  const text = direct || indirect;
  if (/^(?:di|bezpo|doğru|مباشر|直接)/i.test(text)) return true;
  if (/^(?:ndi|in-?dire|pośredni|dolaylı|غير مباشر|間接)/i.test(text)) return false;
  if (YES.test(text)) return direct !== "";
  return NO.test(text) ? direct === "" : null;
}
