import type { QuietHours } from "@tapthru/proto/webhooks";
import { Temporal } from "temporal-polyfill";

/** When the quiet hours end in which this time is; null if it is in none. Unix milliseconds. */
export function quietUntil({ from, to, timeZone }: QuietHours, now: number): number | null {
  const time = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone);
  const clock = time.toPlainTime().toString();
  const isQuiet = from < to ? from <= clock && clock < to : from > to && (from <= clock || clock < to);
  if (!isQuiet) return null;
  const end = time.withPlainTime(to);
  return (Temporal.ZonedDateTime.compare(end, time) > 0 ? end : end.add({ days: 1 })).epochMilliseconds;
}
