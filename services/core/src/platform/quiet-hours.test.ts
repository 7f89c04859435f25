import { expect, it } from "vitest";
import { quietUntil } from "./quiet-hours.ts";

const NIGHT = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };

it.each([
  ["in the evening", NIGHT, "2026-11-20T21:00:00Z", "2026-11-21T06:00:00Z"],
  ["after midnight", NIGHT, "2026-11-21T05:59:59Z", "2026-11-21T06:00:00Z"],
  ["at their end", NIGHT, "2026-11-21T06:00:00Z", null],
  ["before they begin", NIGHT, "2026-11-20T20:59:00Z", null],
  ["in the night in which clocks go back", NIGHT, "2026-10-24T21:00:00Z", "2026-10-25T06:00:00Z"],
  ["at noon", { from: "12:00", to: "13:30", timeZone: "+05:30" }, "2026-11-20T07:00:00Z", "2026-11-20T08:00:00Z"],
  ["with equal times", { from: "12:00", to: "12:00", timeZone: "UTC" }, "2026-11-20T12:00:00Z", null],
])("%s", (_case, hours, now, end) => {
  expect(quietUntil(hours, Date.parse(now))).toBe(end && Date.parse(end));
});
