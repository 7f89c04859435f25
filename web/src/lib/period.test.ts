import { describe, expect, test } from "vitest";
import { type Period, periodBounds, periodProblem, previousPeriodBounds } from "./period.ts";

const NOW = new Date(2026, 10, 21, 14, 40, 30);

function local({ from, to, interval }: ReturnType<typeof periodBounds>) {
  return [from, to].map((time) => time.toLocaleString("sv")).concat(interval);
}

describe("periodBounds", () => {
  test.each<[Period, string, string, string]>([
    [{ kind: "24h" }, "2026-11-20 15:00:00", "2026-11-21 15:00:00", "hour"],
    [{ kind: "7d" }, "2026-11-15 00:00:00", "2026-11-22 00:00:00", "day"],
    [{ kind: "30d" }, "2026-10-23 00:00:00", "2026-11-22 00:00:00", "day"],
    [{ kind: "90d" }, "2026-08-24 00:00:00", "2026-11-22 00:00:00", "day"],
    [custom("2026-11-03", "2026-11-03"), "2026-11-03 00:00:00", "2026-11-04 00:00:00", "hour"],
    [custom("2026-09-01", "2026-11-03"), "2026-09-01 00:00:00", "2026-11-04 00:00:00", "day"],
    [custom("2026-01-01", "2026-11-03"), "2026-01-01 00:00:00", "2026-11-04 00:00:00", "week"],
    [custom("2025-01-01", "2026-11-03"), "2025-01-01 00:00:00", "2026-11-04 00:00:00", "month"],
  ])("of %j is from %s to %s by %s", (period, ...expected) => {
    expect(local(periodBounds(period, NOW))).toEqual(expected);
  });
});

describe("previousPeriodBounds", () => {
  test.each<[Period, string, string]>([
    [{ kind: "24h" }, "2026-11-19 15:00:00", "2026-11-20 14:40:30"],
    [{ kind: "7d" }, "2026-11-08 00:00:00", "2026-11-14 14:40:30"],
    [custom("2026-11-01", "2026-11-10"), "2026-10-22 00:00:00", "2026-11-01 00:00:00"],
  ])("of %j is from %s to %s: no more of it than has passed", (period, from, to) => {
    expect(local(previousPeriodBounds(period, NOW)).slice(0, 2)).toEqual([from, to]);
  });
});

test("periodProblem refuses days in the wrong order and more than 800 days", () => {
  expect(periodProblem("2026-11-02", "2026-11-01")).toBe("order");
  expect(periodProblem("2024-09-12", "2026-11-21")).toBe("length");
  expect(periodProblem("2024-09-13", "2026-11-21")).toBeNull();
  expect(periodProblem("2026-11-01", "2026-11-01")).toBeNull();
});

function custom(from: string, to: string): Period {
  return { kind: "custom", from, to };
}
