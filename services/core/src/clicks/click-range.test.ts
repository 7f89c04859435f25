import { CLICK_INTERVALS } from "@tapthru/proto/clicks";
import { QUARTER_MS } from "@tapthru/proto/clicks/quarters";
import fc from "fast-check";
import { expect, it } from "vitest";
import { clickRange } from "./click-range.ts";

const NOW = Date.parse("2026-11-21T20:00:00Z");
const ZONES = Intl.supportedValuesOf("timeZone");

function rangeOf(query: Partial<Parameters<typeof clickRange>[0]>) {
  const range = clickRange({ tz: "UTC", interval: "day", ...query }, NOW);
  if (range === null) return null;
  const iso = (time: number) => new Date(time).toISOString();
  return { from: iso(range.from), to: iso(range.to), starts: range.starts.map(iso) };
}

it("returns the last 30 days of the time zone by default", () => {
  const range = rangeOf({ tz: "Asia/Kolkata" });
  expect(range).toMatchObject({
    from: "2026-10-23T18:30:00.000Z",
    to: "2026-11-22T18:30:00.000Z",
  });
  expect(range?.starts).toHaveLength(30);
});

it("includes the day of `to` and not its instant", () => {
  expect(rangeOf({ from: "2026-11-20", to: "2026-11-21", tz: "Asia/Kathmandu" })).toEqual({
    from: "2026-11-19T18:15:00.000Z",
    to: "2026-11-21T18:15:00.000Z",
    starts: ["2026-11-19T18:15:00.000Z", "2026-11-20T18:15:00.000Z"],
  });
  expect(rangeOf({ from: "2026-11-21T10:07:00Z", to: "2026-11-21T12:00:00+01:00", interval: "hour" })).toEqual({
    from: "2026-11-21T10:00:00.000Z",
    to: "2026-11-21T11:00:00.000Z",
    starts: ["2026-11-21T10:00:00.000Z"],
  });
});

it("starts weeks on Monday and months on the first", () => {
  const [from, to] = ["2026-10-28", "2026-11-09"];
  expect(rangeOf({ from, to, interval: "week" })?.starts).toEqual([
    "2026-10-26T00:00:00.000Z",
    "2026-11-02T00:00:00.000Z",
    "2026-11-09T00:00:00.000Z",
  ]);
  expect(rangeOf({ from, to, interval: "month", tz: "Europe/Berlin" })?.starts).toEqual([
    "2026-09-30T22:00:00.000Z",
    "2026-10-31T23:00:00.000Z",
  ]);
});

it.each([
  [{ from: "2026-11-21", to: "2026-11-20" }],
  [{ from: "2020-01-01" }],
  [{ from: "2025-11-21", interval: "hour" as const }],
])("rejects %o", (query) => {
  expect(rangeOf(query)).toBeNull();
});

it("covers the range with periods without gaps that start at quarter-hours, in every time zone", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.constantFrom(...CLICK_INTERVALS),
      fc.integer({ min: 19_000, max: 23_000 }),
      fc.integer({ min: 1, max: 40 }),
      (tz, interval, firstDay, days) => {
        const date = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
        const query = { from: date(firstDay), to: date(firstDay + days), tz, interval };
        const range = clickRange(query, NOW);
        const { from, to, starts } = range ?? { from: 0, to: 0, starts: [] };
        for (const time of [from, to, ...starts]) expect(time % QUARTER_MS).toBe(0);
        expect(starts.every((start, i) => i === 0 || start > (starts[i - 1] ?? 0))).toBe(true);
        expect(starts[0]).toBeLessThanOrEqual(from);
        expect(starts.filter((start) => start <= from)).toHaveLength(1);
        expect(starts.at(-1)).toBeLessThan(to);
      },
    ),
    { numRuns: 300 },
  );
});
