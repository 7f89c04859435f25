import { expect, test } from "vitest";
import { readTimeZone } from "./time-zone.ts";

const ZONES: Readonly<Record<string, readonly string[]>> = {
  "Europe/Berlin": ["Europe/Berlin"],
  "Asia/Calcutta": ["Asia/Calcutta"],
  CET: ["CET"],
  EST5EDT: ["EST5EDT"],
  "Etc/GMT+2": ["Etc/GMT+2", "Etc/GMT 2"],
  "+05:30": ["+05:30", " 05:30"],
  "-03:30": ["-0330", "\u221203:30"],
  "+05:00": ["+5"],
  "+14:00": ["+14:00"],
  "+02:00": ["UTC+2", "UTC 2"],
  "-08:00": ["utc-08:00"],
  "+05:45": ["GMT+5:45"],
  UTC: [
    "Etc/Unknown",
    "Mars/Olympus",
    "",
    "undefined",
    "+15:00",
    "+05:60",
    "Z",
    "IST",
    "bst",
    "Etc/GMT+14",
    "India Standard Time",
    "posix/Europe/Berlin",
    "<script>",
    "\u0000",
    "Europe/Berlin".padEnd(65, "n"),
  ],
};

test.each(Object.entries(ZONES))("days are counted in %s for %j", (zone, texts) => {
  for (const text of texts) expect([text, readTimeZone(text)]).toEqual([text, zone]);
});
