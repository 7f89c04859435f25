import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayOf } from "./dates.ts";
import {
  COMPARED_WITH_BEFORE,
  type Comparison,
  comparedBounds,
  type Period,
  periodBounds,
  periodOf,
  periodOfBar,
  periodProblem,
  plusDays,
} from "./period.ts";

const NOW = new Date(2026, 10, 21, 14, 40, 30);

function local({ from, to, interval }: ReturnType<typeof periodBounds>) {
  return [from, to].map((time) => time.toLocaleString("sv")).concat(interval);
}

describe("periodBounds", () => {
  test.each<[Period, string, string, string]>([
    [preset("24h"), "2026-11-20 15:00:00", "2026-11-21 15:00:00", "hour"],
    [preset("7d"), "2026-11-15 00:00:00", "2026-11-22 00:00:00", "day"],
    [preset("month"), "2026-11-01 00:00:00", "2026-11-22 00:00:00", "day"],
    [preset("last-month"), "2026-10-01 00:00:00", "2026-11-01 00:00:00", "day"],
    [custom("2026-11-03", "2026-11-03"), "2026-11-03 00:00:00", "2026-11-04 00:00:00", "hour"],
    [custom("2026-09-01", "2026-11-03"), "2026-09-01 00:00:00", "2026-11-04 00:00:00", "day"],
    [custom("2026-01-01", "2026-11-03"), "2026-01-01 00:00:00", "2026-11-04 00:00:00", "week"],
    [custom("2025-01-01", "2026-11-03"), "2025-01-01 00:00:00", "2026-11-04 00:00:00", "month"],
  ])("the bounds of %j are %s to %s by %s", (period, ...expected) => {
    expect(local(periodBounds(period, NOW))).toEqual(expected);
  });
});

describe("comparedBounds", () => {
  test.each<[Period, string, string]>([
    [preset("24h"), "2026-11-19 15:00:00", "2026-11-20 14:40:30"],
    [preset("7d"), "2026-11-08 00:00:00", "2026-11-14 14:40:30"],
    [preset("month"), "2026-10-01 00:00:00", "2026-10-21 14:40:30"],
    [preset("last-month"), "2026-09-01 00:00:00", "2026-10-01 00:00:00"],
    [custom("2026-11-01", "2026-11-10"), "2026-10-22 00:00:00", "2026-11-01 00:00:00"],
    [custom("2026-10-01", "2026-10-31"), "2026-08-31 00:00:00", "2026-10-01 00:00:00"],
    [custom("2026-11-15", "2026-12-04"), "2026-10-26 00:00:00", "2026-11-01 14:40:30"],
  ])("the bounds compared with %j are %s to %s: no more of it than has passed", (period, from, to) => {
    expect(local(comparedBounds(period, COMPARED_WITH_BEFORE, NOW)).slice(0, 2)).toEqual([from, to]);
  });

  const year: Comparison = { against: "year", since: "", until: "" };
  const days: Comparison = { against: "custom", since: "2026-09-01", until: "2026-09-15" };
  test.each<[Period, Comparison, string, string]>([
    [preset("month"), year, "2025-11-01 00:00:00", "2025-11-21 14:40:30"],
    [preset("last-month"), year, "2025-10-01 00:00:00", "2025-11-01 00:00:00"],
    [custom("2024-02-01", "2024-02-29"), year, "2023-02-01 00:00:00", "2023-03-01 00:00:00"],
    [preset("24h"), year, "2025-11-20 15:00:00", "2025-11-21 14:40:30"],
    [preset("month"), days, "2026-09-01 00:00:00", "2026-09-16 00:00:00"],
    [preset("7d"), { ...days, until: "2026-08-31" }, "2026-11-08 00:00:00", "2026-11-14 14:40:30"],
    [custom("2026-10-01", "2026-10-31"), { ...year, against: "month" }, "2026-09-01 00:00:00", "2026-10-01 00:00:00"],
    [preset("7d"), { ...days, since: "" }, "2026-11-08 00:00:00", "2026-11-14 14:40:30"],
  ])("the bounds of %j compared with %j are %s to %s", (period, comparison, from, to) => {
    expect(local(comparedBounds(period, comparison, NOW)).slice(0, 2)).toEqual([from, to]);
  });

  test("begins and ends at midnight where clocks change, and compares as many reported days", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 1, max: 60 }), (start, length) => {
        const from = plusDays(new Date(2025, 0, 1), start);
        const [first, last] = [from, plusDays(from, length - 1)].map(dayOf) as [string, string];
        const bounds = comparedBounds(custom(first, last), COMPARED_WITH_BEFORE, new Date(2030, 0, 1));
        for (const time of [bounds.from, bounds.to]) expect(time.toTimeString()).toMatch(/^00:00:00/);
        expect(bounds.to.getTime()).toBe(from.getTime());
        expect(plusDays(bounds.from, length).getTime()).toBe(from.getTime());
      }),
    );
  });
});

test.each([
  [new Date(2026, 2, 31, 14), new Date(2026, 1, 1), new Date(2026, 2, 1)],
  // As many days of a month that has more.
  [new Date(2026, 10, 30, 14), new Date(2026, 9, 1), new Date(2026, 9, 30, 14)],
])("the month before that of %s begins at %s and ends at %s", (now, ...expected) => {
  const { from, to } = comparedBounds(preset("month"), COMPARED_WITH_BEFORE, now);
  expect([from, to]).toEqual(expected);
});

test("a bar of a month is compared with the month before, others with as many days", () => {
  expect(periodOfBar("2026-10-01T00:00", "month")).toMatchObject({ against: "month", to: "2026-10-31" });
  expect(periodOfBar("2026-10-01T00:00", "week")).toMatchObject({ against: "before", to: "2026-10-07" });
});

test("periodOf is the default for invalid days, and for what a page does not offer", () => {
  expect(periodOf(custom("2026-11-02", "2026-11-01"))).toEqual(preset("30d"));
  expect(periodOf({ period: "custom", from: "2026-11-02", to: "" })).toEqual(preset("30d"));
  expect(periodOf(preset("24h"), ["7d", "30d"])).toEqual(preset("30d"));
  expect(periodOf({ ...preset("7d"), from: "2026-11-02" })).toEqual(preset("7d"));
});

test("periodProblem refuses days in the wrong order and more than 800 days", () => {
  expect(periodProblem("2026-11-02", "2026-11-01")).toBe("order");
  expect(periodProblem("2024-09-12", "2026-11-21")).toBe("length");
  expect(periodProblem("2024-09-13", "2026-11-21")).toBeNull();
  expect(periodProblem("2026-11-01", "2026-11-01")).toBeNull();
});

function custom(from: string, to: string): Period {
  return { period: "custom", from, to };
}

function preset(period: Period["period"]): Period {
  return { period, from: "", to: "" };
}
