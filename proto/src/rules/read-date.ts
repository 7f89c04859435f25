import { MARKETPLACES } from "./amazon/marketplaces.ts";
import type { DateOrder } from "./earnings.ts";
import { normalized } from "./names.ts";

/** No date and no number is longer. Patterns that meet a cell may take time that grows with the square of its length. */
const CELL_MAX_LENGTH = 64;

/** In NFKC, which may make 18 characters of one, with Latin digits and without marks of the writing direction. */
export function normalizedText(text: string): string {
  const latin = normalized("NFKC", text).replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660));
  return latin.replaceAll(/\p{Cf}/gu, "");
}

/** Trimmed; undefined if it is too long. */
export function normalizedCell(text: string): string | undefined {
  if (text.length > CELL_MAX_LENGTH) return undefined;
  const cell = normalizedText(text).trim();
  return cell.length > CELL_MAX_LENGTH ? undefined : cell;
}

/** The ISO day that a date means in each order of day and month; null: none. */
export type ReadDate = Readonly<Record<DateOrder, string | null>>;

const LANGUAGES = new Set(Object.values(MARKETPLACES).flatMap(({ languages }) => languages.slice(0, 1)));
const MONTHS = new Map(
  [...LANGUAGES].flatMap((language) =>
    (["long", "short"] as const).flatMap((month) => {
      // Some languages write the month otherwise beside a day.
      const format = new Intl.DateTimeFormat(language, { month, day: "numeric", timeZone: "UTC" });
      return Array.from({ length: 12 }, (_, index): [string, number] => {
        const parts = format.formatToParts(Date.UTC(2_026, index, 1));
        return [plainText(parts.find(({ type }) => type === "month")?.value ?? ""), index + 1];
      }).filter(([name]) => !/\d/.test(name));
    }),
  ),
);

const TIME =
  /(?:T|,? )(?<hour>\d{1,2}):(?<minutes>\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(?<half>[AP]M)? ?(?<zone>Z|UTC|[+-](?:0\d|1[0-4]):?[0-5]\d)?$/i;

/** The time of day at the end of a cell, such as `18:05:00Z` or `6:05 PM`; undefined: it has none. */
export function timeIn(cell: string) {
  return TIME.exec(cell)?.groups;
}

/** Reads `2026-09-15`, `2026年9月15日`, `September 15, 2026`, `15 de septiembre de 2026`, `15.09.2026` or `09/15/26`; null: none. */
export function readDate(text: string): ReadDate | null {
  const cell = normalizedCell(text)?.replaceAll(/\s+/g, " ").replace(TIME, "");
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

/** Returns null if there is no such day. */
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
