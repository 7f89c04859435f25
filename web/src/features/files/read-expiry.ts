import { EXPIRY_END } from "@tapthru/proto/fields";
import { DATE_ORDERS } from "@tapthru/proto/rules/earnings";
import { normalizedCell, type ReadDate, readDate, timeIn } from "@tapthru/proto/rules/read-date";
import { Temporal } from "temporal-polyfill";

/** Programs write these for no date. */
const NEVER = /^(?:[-–—]|\\N|0|false|null|none|never|n\/a|0000-00-00(?: 00:00:00)?)?$/i;
/** BetterLinks writes `{"status":1,"type":"date","date":"2026-01-01"}`. */
const IN_JSON = /^\s*\{(?=.{0,500}?"status"\s*:\s*("0?"|0\b|false|null)?).{0,500}?"date"\s*:\s*"([^"]{0,64})"/s;
/** Seconds, with or without thousandths, since 1970: of the years 2001 to 2286. */
const UNIX_TIME = /^(\d{10})(\d{3}|)(?:\.0+)?$/;
/** A number of days, as spreadsheets store dates: of the years 2000 to 2099. */
const SERIAL = /^(?<days>\d{5})(?<fraction>[.,]\d{1,12})?$/;
const [FIRST_SERIAL, LAST_SERIAL] = [36_526, 73_050];
const SERIAL_START = Temporal.PlainDate.from("1899-12-30");
const DAY_SECONDS = 86_400;
const LAST_SECOND = "23:59:59";
/** Links can expire between this and EXPIRY_END, as the constraint of their column says. */
const EXPIRY_START = Date.parse("1970-01-01T00:00:00Z");

interface Moment {
  date: ReadDate;
  time: string;
  /** Null is the time zone of the user. */
  zone: string | null;
}

/**
 * Reads the expiries of a file. The order of day and month is the one that all of them allow.
 * @param timeZone of times without one; a day ends in it
 * @returns the reader of a cell: in ISO 8601; null: the link never expires; undefined: the cell has no date that is certain
 */
export function createExpiryReader(cells: ReadonlySet<string>, timeZone: string) {
  const moments = new Map(Array.from(cells, (cell) => [cell, readMoment(cell)]));
  const dates = [...moments.values()].flatMap((moment) => moment?.date ?? []);
  const possible = DATE_ORDERS.filter((each) => dates.every((date) => date[each] !== null));
  const order = possible.length === 1 ? possible[0] : undefined;

  return (cell: string): string | null | undefined => {
    const moment = moments.get(cell);
    if (!moment) return moment;
    const { date, time, zone } = moment;
    const day = date["day-first"] === date["month-first"] ? date["day-first"] : order && date[order];
    if (!day) return undefined;
    const at = Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(zone ?? timeZone).epochMilliseconds;
    return at >= EXPIRY_START && at < EXPIRY_END ? new Date(at).toISOString() : undefined;
  };
}

/** Returns null for "never", and undefined for what is no date. */
function readMoment(text: string): Moment | null | undefined {
  const [, off, date = text] = IN_JSON.exec(text) ?? [];
  const cell = normalizedCell(date)?.replaceAll(/\s+/g, " ");
  if (cell === undefined) return undefined;
  if (off !== undefined || NEVER.test(cell)) return null;
  const [unix, seconds = "", thousandths] = UNIX_TIME.exec(cell) ?? [];
  if (unix !== undefined) return readMoment(new Date(Number(seconds + (thousandths || "000"))).toISOString());
  const serial = SERIAL.exec(cell)?.groups;
  if (serial !== undefined) return ofSerial(Number(serial.days), serial.fraction?.replace(",", "."));
  const day = readDate(cell);
  const time = timeIn(cell);
  if (day === null) return undefined;
  if (time === undefined) return { date: day, time: LAST_SECOND, zone: null };
  const hour = hourOf(Number(time.hour), time.half?.toLowerCase());
  if (hour === undefined || !/^[0-5]\d(?:$|:[0-5]\d)/.test(time.minutes ?? "")) return undefined;
  const zone = time.zone?.replace(/^(?:z|utc)$/i, "UTC") ?? null;
  return { date: day, time: `${String(hour).padStart(2, "0")}:${time.minutes}`, zone };
}

function ofSerial(days: number, fraction = ""): Moment | undefined {
  if (days < FIRST_SERIAL || days > LAST_SERIAL) return undefined;
  const day = SERIAL_START.add({ days }).toString();
  const seconds = Math.min(DAY_SECONDS - 1, Math.round(Number(fraction) * DAY_SECONDS));
  const time = fraction === "" ? LAST_SECOND : Temporal.PlainTime.from("00:00").add({ seconds }).toString();
  return { date: { "day-first": day, "month-first": day }, time, zone: null };
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour < 24 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half === "pm" ? 12 : 0);
}
