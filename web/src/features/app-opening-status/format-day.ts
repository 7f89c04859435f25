import { LOCALES } from "../../lib/locale-formats.ts";

const DAY = new Intl.DateTimeFormat(LOCALES, { dateStyle: "medium", timeZone: "UTC" });

/** @param day such as "2026-11-22", in UTC */
export function formatDay(day: string): string {
  return DAY.format(new Date(day));
}
