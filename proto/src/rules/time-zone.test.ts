import { expect, test } from "vitest";
import { readTimeZone } from "./time-zone.ts";

test.each([
  ["Europe/Berlin", "Europe/Berlin"],
  ["US/Pacific", "US/Pacific"],
  ["Asia/Calcutta", "Asia/Calcutta"],
  ["EST5EDT", "EST5EDT"],
  ["Etc/GMT+2", "Etc/GMT+2"],
  ["Etc/GMT 2", "Etc/GMT+2"],
  ["GMT", "GMT"],
  ["+05:30", "+05:30"],
  [" 05:30", "+05:30"],
  ["-0330", "-03:30"],
  ["\u221203:30", "-03:30"],
  ["+5", "+05:00"],
  ["+14:00", "+14:00"],
  ["UTC+2", "+02:00"],
  ["UTC 2", "+02:00"],
  ["utc-08:00", "-08:00"],
  ["GMT+5:45", "+05:45"],
  ["Etc/Unknown", "UTC"],
  ["Mars/Olympus", "UTC"],
  ["", "UTC"],
  ["undefined", "UTC"],
  ["+15:00", "UTC"],
  ["+05:60", "UTC"],
  ["Z", "UTC"],
  ["<script>", "UTC"],
  ["\u0000", "UTC"],
  ["Europe/Berlin".padEnd(65, "n"), "UTC"],
])("%j is counted in %s", (text, zone) => {
  expect(readTimeZone(text)).toBe(zone);
});
