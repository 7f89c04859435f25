import { DATE_ORDERS, type DateOrder } from "@tapthru/proto/rules/earnings";
import { normalizedText, type ReadDate, readDate } from "@tapthru/proto/rules/read-date";

export interface Period {
  firstDay: string;
  lastDay: string;
}

/** The Associates programme is older than any report that Amazon offers, which reach back a few years. */
const FIRST_DAY = "2000-01-01";

/** The order of day and month, as far as it is known. Rows may be written otherwise than the title row. */
export interface Orders {
  rows: DateOrder | null;
  title: DateOrder | null;
}

export interface DatesResult {
  /** Null if its dates have two meanings: another file shows the order, or the user is asked. */
  period: Period | null;
  /** The order that the dates show or that alone makes sense; null: both or none. */
  orders: Orders;
  /** True if days of rows were read in another order than the dates turned out to have. */
  isWrong: boolean;
}

export interface DatesReader {
  /** The day of a row; if both orders are possible, that with the month first. Null: the date contradicts title row or other rows. */
  add(date: ReadDate): string | null;
  /** The periods that the title row may name; empty: it names none. */
  readonly titles: readonly Period[];
  /** @returns null if the dates contradict each other */
  end(): DatesResult | null;
}

/**
 * Finds out which order of day and month the dates of a report have: the one that all of them allow, with all of them in the
 * period of the title row and none in the future.
 * @param lastDay days after it are in the future
 */
export function createDatesReader(title: string, orders: Orders, lastDay: string): DatesReader {
  const titles = titlesOf(title, orders.title);
  const possible = new Map<DateOrder, Period | null>(
    (orders.rows === null ? DATE_ORDERS : [orders.rows]).map((order) => [order, null]),
  );
  let isAmbiguous = false;
  let showsOrder = false;

  const isInside = (day: string | null) =>
    day !== null &&
    day >= FIRST_DAY &&
    day <= lastDay &&
    (titles.length === 0 || titles.some(({ period }) => isWithin(day, period)));

  return {
    titles: titles.map(({ period }) => period),
    add(date) {
      for (const [order, range] of possible) {
        const day = date[order];
        if (isInside(day) && day !== null) possible.set(order, extended(range, day));
        else possible.delete(order);
      }
      if (date["day-first"] !== date["month-first"]) {
        showsOrder = true;
        if (possible.size === 2) isAmbiguous = true;
      }
      const order = possible.has("month-first") ? "month-first" : "day-first";
      return possible.has(order) ? date[order] : null;
    },
    end() {
      const choices = [...possible].flatMap(([order, range]): Choice[] =>
        titles.length === 0
          ? [{ order, period: range, titleOrder: null }]
          : titles
              .filter(({ period }) => isCovered(range, period))
              .map(({ period, order: titleOrder }) => ({ order, period, titleOrder })),
      );
      const rowOrders = new Set(choices.map(({ order }) => order));
      const [first] = choices;
      if (first === undefined) return null;
      const isSame = (choice: (typeof choices)[number]) =>
        choice.period?.firstDay === first.period?.firstDay && choice.period?.lastDay === first.period?.lastDay;
      const isClear = (rowOrders.size === 1 || !isAmbiguous) && choices.every(isSame);
      return {
        period: isClear ? first.period : null,
        orders: {
          rows: showsOrder && rowOrders.size === 1 ? first.order : null,
          title: choices.every(({ titleOrder }) => titleOrder === first.titleOrder) ? first.titleOrder : null,
        },
        isWrong: isAmbiguous && rowOrders.size === 1 && first.order === "day-first" && orders.rows === null,
      };
    },
  };
}

interface Choice {
  order: DateOrder;
  period: Period | null;
  titleOrder: DateOrder | null;
}

/** `order`: null if the period is the same in both. */
function titlesOf(title: string, known: DateOrder | null): readonly { period: Period; order: DateOrder | null }[] {
  const periods = periodsIn(title);
  if (periods === null) return [];
  const { "day-first": dayFirst, "month-first": monthFirst } = periods;
  if (dayFirst?.firstDay === monthFirst?.firstDay && dayFirst?.lastDay === monthFirst?.lastDay) {
    return dayFirst === null ? [] : [{ period: dayFirst, order: null }];
  }
  const both = DATE_ORDERS.flatMap((order) => {
    const period = periods[order];
    return period === null ? [] : [{ period, order }];
  });
  const chosen = both.filter(({ order }) => order === known);
  return chosen.length > 0 ? chosen : both;
}

const DATE_TEXT = String.raw`\d{1,4}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,4}日?|\p{L}{3,}\.? \d{1,2},? \d{4}|\d{1,2}\.? (?:de )?\p{L}{3,}\.? (?:de )?\d{4}`;
const PERIOD = new RegExp(`(?<![\\d/.-])(${DATE_TEXT})(?:\\D{1,12}?)(?<![\\d/.-])(${DATE_TEXT})`, "u");

/** Longer titles are cut: the time that the pattern takes grows with the square of their length. */
const TITLE_MAX_LENGTH = 300;

/** The period that a title row such as `Fee-Orders reports from 03-01-2026 to 05-02-2026` names, in each order of its dates. */
function periodsIn(title: string): Readonly<Record<DateOrder, Period | null>> | null {
  // NFKC may make 18 characters of one.
  const text = normalizedText(title.slice(0, TITLE_MAX_LENGTH)).slice(0, TITLE_MAX_LENGTH);
  const [, from = "", to = ""] = PERIOD.exec(text) ?? [];
  const [first, last] = [readDate(from), readDate(to)];
  if (first === null || last === null) return null;
  const [dayFirst = null, monthFirst = null] = DATE_ORDERS.map((order) => {
    const [firstDay, lastDay] = [first[order], last[order]];
    if (firstDay === null || lastDay === null) return null;
    return firstDay < FIRST_DAY || firstDay > lastDay ? null : { firstDay, lastDay };
  });
  return { "day-first": dayFirst, "month-first": monthFirst };
}

function isWithin(day: string, { firstDay, lastDay }: Period): boolean {
  return day >= firstDay && day <= lastDay;
}

/** @param range null: the report has no rows */
function isCovered(range: Period | null, period: Period): boolean {
  return range === null || (isWithin(range.firstDay, period) && isWithin(range.lastDay, period));
}

function extended(range: Period | null, day: string): Period {
  if (range === null) return { firstDay: day, lastDay: day };
  return {
    firstDay: day < range.firstDay ? day : range.firstDay,
    lastDay: day > range.lastDay ? day : range.lastDay,
  };
}
