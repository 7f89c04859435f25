import type { DateOrder, ReportKind } from "@tapthru/proto/rules/earnings";
import { type ReadDate, readDate } from "@tapthru/proto/rules/read-date";
import { commonCurrencies, currenciesOf } from "./currencies.ts";
import type { ReportText } from "./find-report.ts";
import { isTotal } from "./headings.ts";
import { REQUIRED } from "./kinds.ts";
import { AMOUNT_UNITS, createNumberReader, isAmount, isNumber } from "./numbers.ts";
import { createDatesReader, type Dating } from "./period.ts";
import { cutText, type Refusal, ReportRefusal } from "./refusal.ts";
import type { Row } from "./rows.ts";
import type { Column, Columns } from "./words.ts";

export const SUMS = ["earnings", "revenue", "ordered", "shipped", "returned", "clicks"] as const;
export const AMOUNTS: ReadonlySet<string> = new Set(["earnings", "revenue"]);
/** Amounts in hundredths of the currency, and numbers of items; null: the report does not have them. */
export type Sums = Record<(typeof SUMS)[number], number | null>;

export interface ReportRow extends Sums {
  /** Null: the first day of the report. */
  date: ReadDate | null;
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
interface UnreadLine {
  line: number;
  text: string;
}

/** What all rows of a report show together. */
export interface ReportFacts {
  datings: readonly Dating[];
  unreadLines: readonly UnreadLine[];
  /** The first amount, if nothing in the report shows whether it has decimal places. */
  unclear: Refusal | null;
  /** The first amount with decimal places. */
  fraction: Refusal | null;
  /** The currencies that headings and cells name; null: they name none. */
  currencies: readonly string[] | null;
}

/** Any of them is the number of ordered items. */
const ORDERED = ["quantity", "ordered", "orderedAtAmazon", "orderedAtOthers"] as const;
/** The columns whose numbers are in the sums of a kind. */
const SHOWN: Readonly<Record<ReportKind, readonly Column[]>> = {
  earnings: ["earnings", "revenue", "shipped", "returned"],
  orders: ORDERED,
  tracking: ["earnings", "revenue", "shipped", "clicks", ...ORDERED],
  "daily-trends": ["clicks", ...ORDERED],
  bounties: ["earnings", ...ORDERED],
};
const HAS_PRODUCTS: ReadonlySet<ReportKind> = new Set(["earnings", "orders"]);
const UNREAD_LINES_MAX_COUNT = 100;
const ASIN = /^[A-Z\d]{10}$/i;
const TAG_MAX_LENGTH = 64;
const NAME_MAX_LENGTH = 300;

/** Reads the rows of a report. What it cannot read with certainty throws a ReportRefusal. */
export function createReportReader(
  text: ReportText,
  { dateOrder, lastDay }: { dateOrder: DateOrder | null; lastDay: string },
) {
  const { kind, heading, headingLine, headingCells, title } = text;
  const { columns } = heading;
  const numbers = createNumberReader();
  const dates = createDatesReader(title, dateOrder, lastDay);
  const unreadLines: UnreadLine[] = [];
  let unclear: Refusal | null = null;
  let fraction: Refusal | null = null;
  let hasRows = false;
  let usualSurplus: number | undefined;
  const otherNumbers = [...ORDERED, ...SUMS].filter((column) => !SHOWN[kind].includes(column));
  /** Amounts in them are in no sum. */
  let unread = [
    ...heading.unknown,
    ...heading.withoutAmounts,
    ...new Set(otherNumbers.flatMap((column) => columns[column] ?? [])),
  ].toSorted((a, b) => a - b);
  if (kind === "tracking" && dates.titles.length === 0) {
    throw new ReportRefusal("unclear-date", Math.max(1, headingLine - 1), title);
  }

  function leaveOut(line: number, cells: readonly string[]): void {
    const text = cells.filter(hasText).join(", ");
    if (unreadLines.length === UNREAD_LINES_MAX_COUNT) throw new ReportRefusal("unreadable-file", line, text);
    unreadLines.push({ line, text: cutText(text) });
  }

  function cellOf({ cells }: Row, column: Column): string {
    return cells[columns[column] ?? -1]?.trim() ?? "";
  }

  function dateOf(row: Row): ReadDate {
    const text = cellOf(row, "date");
    const date = readDate(text);
    if (date === null) throw new ReportRefusal("unclear-date", row.line, text);
    if (!dates.add(date)) throw new ReportRefusal("date-out-of-range", row.line, text);
    return date;
  }

  function numberOf(row: Row, column: Column): number | null {
    if (columns[column] === undefined || !SHOWN[kind].includes(column)) return null;
    const text = cellOf(row, column);
    const value = AMOUNTS.has(column) ? numbers.readAmount(text) : numbers.readCount(text);
    if (value === null) throw new ReportRefusal("unclear-number", row.line, text);
    if (numbers.isUnclear) unclear ??= new ReportRefusal("unclear-number", row.line, text).refusal;
    const isFraction = AMOUNTS.has(column) && value % AMOUNT_UNITS !== 0;
    if (isFraction) fraction ??= new ReportRefusal("unclear-number", row.line, text).refusal;
    return value;
  }

  function sumsOf(row: Row): Sums {
    const read = (column: Column) => numberOf(row, column);
    const [shipped, returned] = [read("shipped"), read("returned")];
    return {
      earnings: read("earnings"),
      revenue: read("revenue"),
      ordered: orderedOf(read),
      clicks: read("clicks"),
      // A return may be a row with a negative number of shipped items.
      shipped: shipped === null ? null : Math.max(0, shipped),
      returned: kind === "earnings" ? Math.max(Math.abs(returned ?? 0), -Math.min(0, shipped ?? 0)) : null,
    };
  }

  /** A row with more cells than headings has one too many, unless the first row has them too, without text. */
  function hasSurplus(cells: readonly string[]): boolean {
    const surplus = Math.max(0, cells.length - headingCells.length);
    if (surplus > (usualSurplus ?? surplus) || cells.slice(headingCells.length).some(hasText)) return true;
    usualSurplus ??= surplus;
    return false;
  }

  return {
    /** Null for a row without figures of its own: empty, the totals, without the earnings that it needs, or with a cell too many. */
    read(row: Row): ReportRow | null {
      const { cells, line } = row;
      if (cells.length < headingCells.length && !hasTotals(cells, columns)) {
        throw new ReportRefusal("unreadable-file", line, cells.join(" "));
      }
      const lacksEarnings = REQUIRED[kind].includes("earnings") && cellOf(row, "earnings") === "";
      if (hasSurplus(cells) || lacksEarnings || hasTotals(cells, columns)) {
        if (cells.some(hasText)) leaveOut(line, cells);
        return null;
      }
      const withAmounts = unread.filter((index) =>
        (heading.withoutAmounts.includes(index) ? isAmount : isNumber)(cells[index] ?? ""),
      );
      for (const index of withAmounts) leaveOut(headingLine, [headingCells[index] ?? ""]);
      if (withAmounts.length > 0) unread = unread.filter((index) => !withAmounts.includes(index));
      hasRows = true;
      const asin = HAS_PRODUCTS.has(kind) ? cellOf(row, "asin").toUpperCase() : "";
      return {
        date: kind === "tracking" ? null : dateOf(row),
        tag: kind === "daily-trends" ? "" : cellOf(row, "tag").slice(0, TAG_MAX_LENGTH).toWellFormed(),
        asin: ASIN.test(asin) ? asin : "",
        isDirect: HAS_PRODUCTS.has(kind) ? isDirect(cellOf(row, "direct"), cellOf(row, "indirect")) : null,
        name: cellOf(row, "name").slice(0, NAME_MAX_LENGTH).toWellFormed(),
        category: cellOf(row, "category").slice(0, NAME_MAX_LENGTH).toWellFormed(),
        ...sumsOf(row),
      };
    },

    /** Null if the report has neither rows nor a title row: it says nothing. */
    end(): ReportFacts | null {
      if (!hasRows && dates.titles.length === 0) return null;
      const datings = dates.datings();
      if (datings.length === 0) throw new ReportRefusal("date-out-of-range");
      const currencies = commonCurrencies([heading.currencies, numbers.currencies]);
      return { datings, unreadLines, unclear: numbers.isUnclear ? unclear : null, fraction, currencies };
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
function isDirect(direct: string, indirect: string): boolean | null {
  const text = direct || indirect;
  if (/^(?:di|bezpo|doğru|مباشر|直接)/i.test(text)) return true;
  if (/^(?:ndi|in-?dire|pośredni|dolaylı|غير مباشر|間接)/i.test(text)) return false;
  if (YES.test(text)) return direct !== "";
  return NO.test(text) ? direct === "" : null;
}
