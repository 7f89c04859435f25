import { isDeepStrictEqual } from "node:util";
import { DATE_ORDERS, type DateOrder } from "@tapthru/proto/rules/earnings";
import { normalizedText, type ReadDate, readDate } from "@tapthru/proto/rules/read-date";

export interface Period {
  firstDay: string;
  lastDay: string;
}

interface Title {
  period: Period;
  /** Null: both orders mean this period. */
  order: DateOrder | null;
}

/** A meaning of the dates of a report: the order of day and month in its rows and in its title row, null if it does not matter. */
export interface Dating {
  rows: DateOrder | null;
  title: DateOrder | null;
  period: Period;
}

/** The Associates programme is older than any report that Amazon offers, which reach back a few years. */
const FIRST_DAY = "2000-01-01";

/**
 * @param known the order that the user named
 * @param lastDay days after it are in the future
 */
export function createDatesReader(title: string, known: DateOrder | null, lastDay: string) {
  const titles = titlesOf(title, known);
  const ranges = new Map<DateOrder, Period | null>(
    (known === null ? DATE_ORDERS : [known]).map((order) => [order, null]),
  );
  let showsOrder = false;
  const isPossible = (day: string) =>
    day >= FIRST_DAY &&
    day <= lastDay &&
    (titles.length === 0 || titles.some(({ period }) => isWithin({ firstDay: day, lastDay: day }, period)));

  return {
    /** Empty: the title row names no period. */
    titles,
    /** @returns false if no order makes sense of the dates so far, in a period of the title row and not in the future */
    add(date: ReadDate): boolean {
      showsOrder ||= date["day-first"] !== date["month-first"];
      for (const [order, range] of ranges) {
        const day = date[order];
        if (day !== null && isPossible(day)) ranges.set(order, extended(range, day));
        else ranges.delete(order);
      }
      return ranges.size > 0;
    },
    /** Empty: the dates contradict each other. */
    datings(): Dating[] {
      return [...ranges].slice(0, showsOrder ? ranges.size : 1).flatMap(([order, range]): Dating[] => {
        const rows = showsOrder ? order : null;
        if (range !== null && titles.length === 0) return [{ rows, title: null, period: range }];
        const possible = titles.filter(({ period }) => range === null || isWithin(range, period));
        return possible.map(({ period, order }) => ({ rows, title: order, period }));
      });
    },
  };
}

/**
 * Finds the dating of each report of a file. What one of them shows about rows or title rows is true of all.
 * @returns null if a report may still have several
 */
export function settleDates<Report extends { datings: readonly Dating[] }>(
  reports: readonly Report[],
): (readonly [Report, Dating])[] | null {
  let open = reports.map((report) => [report, report.datings] as const);
  for (const part of ["rows", "title", "rows"] as const) {
    const order = common(open.flatMap(([, datings]) => common(datings.map((dating) => dating[part])) ?? []));
    if (order === null) continue;
    open = open.map(([report, datings]) => {
      const possible = datings.filter((dating) => dating[part] === order);
      return [report, possible.length > 0 ? possible : datings];
    });
  }
  const settled = open.flatMap(([report, [first, ...others]]) => {
    const isSame = ({ rows, period }: Dating) => isDeepStrictEqual([rows, period], [first?.rows, first?.period]);
    return first !== undefined && others.every(isSame) ? [[report, first] as const] : [];
  });
  return settled.length === reports.length ? settled : null;
}

/** The order that all have; null if there is none. */
function common(orders: readonly (DateOrder | null)[]): DateOrder | null {
  const [first = null] = orders;
  return orders.every((order) => order === first) ? first : null;
}

const DATE_TEXT = String.raw`\d{1,4}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,4}日?|\p{L}{3,}\.? \d{1,2},? \d{4}|\d{1,2}\.? (?:de )?\p{L}{3,}\.? (?:de )?\d{4}`;
const PERIOD = new RegExp(`(?<![\\d/.-])(${DATE_TEXT})(?:\\D{1,12}?)(?<![\\d/.-])(${DATE_TEXT})`, "u");

/** Longer titles are cut: the time that the pattern takes grows with the square of their length. */
const TITLE_MAX_LENGTH = 300;

/** The periods of a title row such as `Fee-Orders reports from 03-01-2026 to 05-02-2026`; of those with the known order, if any has it. */
function titlesOf(title: string, known: DateOrder | null): readonly Title[] {
  // NFKC may make 18 characters of one.
  const text = normalizedText(title.slice(0, TITLE_MAX_LENGTH)).slice(0, TITLE_MAX_LENGTH);
  const [, from = "", to = ""] = PERIOD.exec(text) ?? [];
  const [first, last] = [readDate(from), readDate(to)];
  const titles = DATE_ORDERS.flatMap((order): Title[] => {
    const [firstDay, lastDay] = [first?.[order] ?? "", last?.[order] ?? ""];
    return firstDay < FIRST_DAY || firstDay > lastDay ? [] : [{ period: { firstDay, lastDay }, order }];
  });
  const [one, other] = titles;
  if (one !== undefined && isDeepStrictEqual(one.period, other?.period)) return [{ ...one, order: null }];
  const chosen = titles.filter(({ order }) => order === known);
  return chosen.length > 0 ? chosen : titles;
}

function isWithin(range: Period, { firstDay, lastDay }: Period): boolean {
  return range.firstDay >= firstDay && range.lastDay <= lastDay;
}

function extended(range: Period | null, day: string): Period {
  if (range === null) return { firstDay: day, lastDay: day };
  return {
    firstDay: day < range.firstDay ? day : range.firstDay,
    lastDay: day > range.lastDay ? day : range.lastDay,
  };
}
