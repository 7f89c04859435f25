import { DATE_ORDERS, type DateOrder } from "@tapthru/proto/rules/earnings";
import { normalizedCell } from "./cells.ts";

/** The ISO day that a date means in each order of day and month; null: none. */
export type ReadDate = Readonly<Record<DateOrder, string | null>>;

const LANGUAGES = ["en", "es", "de", "fr", "it", "pt"];
const MONTHS = new Map(
  LANGUAGES.flatMap((language) =>
    (["long", "short"] as const).flatMap((month) =>
      Array.from({ length: 12 }, (_, index): [string, number] => [
        plainText(new Intl.DateTimeFormat(language, { month, timeZone: "UTC" }).format(Date.UTC(2_026, index, 1))),
        index + 1,
      ]),
    ),
  ),
);

/** Reads `2026-09-15`, `2026年9月15日`, `September 15, 2026`, `15 de septiembre de 2026`, `15.09.2026` or `09/15/26`; null: none. */
export function readDate(text: string): ReadDate | null {
  const cell = normalizedCell(text)
    ?.replaceAll(/\s+/g, " ")
    .replace(/[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)? ?(?:[AP]M)? ?(?:Z|UTC|[+-]\d{2}:?\d{2})?$/i, "");
  if (cell === undefined) return null;
  const iso = /^(\d{4})(?:[-/.]|\s*年\s*)(\d{1,2})(?:[-/.]|\s*月\s*)(\d{1,2})\s*日?$/.exec(cell);
  if (iso !== null) return inAnyOrder(isoDay(iso[1], iso[2], iso[3]));
  const numeric = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/.exec(cell);
  if (numeric !== null) {
    const [, first, sign, second, year] = numeric;
    // Only languages that begin with the day write dots.
    const monthFirst = sign === "." ? null : isoDay(year, first, second);
    const dayFirst = isoDay(year, second, first);
    return dayFirst === null && monthFirst === null ? null : { "day-first": dayFirst, "month-first": monthFirst };
  }
  return inAnyOrder(readWords(cell));
}

function inAnyOrder(day: string | null): ReadDate | null {
  return day === null ? null : { "day-first": day, "month-first": day };
}

function readWords(cell: string): string | null {
  const words = plainText(cell)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !["de", "del", "of"].includes(word));
  if (words.length !== 3) return null;
  const index = words.findIndex((word) => MONTHS.has(word));
  const [day, year] = words.filter((_, other) => other !== index);
  if (index < 0 || index > 1 || !/^\d{1,2}(?:st|nd|rd|th|er|º)?$/.test(day ?? "")) return null;
  if (!/^(?:\d{4}|\d{2})$/.test(year ?? "")) return null;
  return isoDay(year, String(MONTHS.get(words[index] ?? "")), String(Number.parseInt(day ?? "", 10)));
}

/** Null if there is no such day. */
function isoDay(year = "", month = "", day = ""): string | null {
  const fullYear = year.length === 2 ? `20${year}` : year;
  const text = `${fullYear}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? null : text;
}

function plainText(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}|\.$/gu, "");
}

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
