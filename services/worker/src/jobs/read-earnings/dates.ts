import { readDate } from "@tapthru/core/read-date";
import { DATE_ORDERS, type DateOrder } from "@tapthru/proto/rules/earnings";

export interface Period {
  firstDay: string;
  lastDay: string;
}

const DATE_TEXT = String.raw`\d{1,4}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,4}日?|\p{L}{3,}\.? \d{1,2},? \d{4}|\d{1,2}\.? (?:de )?\p{L}{3,}\.? (?:de )?\d{4}`;
const PERIOD = new RegExp(`(?<![\\d/.-])(${DATE_TEXT})(?:\\D{1,12}?)(?<![\\d/.-])(${DATE_TEXT})`, "u");

/** The Associates programme is older than any report that Amazon offers, which reach back a few years. */
export const FIRST_DAY = "2000-01-01";

/** Longer titles are cut: the time that the pattern takes grows with the square of their length. */
const TITLE_MAX_LENGTH = 300;

/** The period that a title row such as `Fee-Orders reports from 03-01-2026 to 05-02-2026` names, in each order of its dates. */
export function periodsIn(title: string): Readonly<Record<DateOrder, Period | null>> | null {
  // NFKC may make 18 characters of one.
  const text = title.slice(0, TITLE_MAX_LENGTH).normalize("NFKC").slice(0, TITLE_MAX_LENGTH);
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
