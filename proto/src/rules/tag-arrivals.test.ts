import { describe, expect, it } from "vitest";
import { arrivalRatio, arrivalTrend } from "./tag-arrivals.ts";

const of = (...clicks: number[]) => clicks.map((amazonClicks) => ({ amazonClicks, people: 1_000, isComparable: true }));

describe("arrivalRatio", () => {
  it("is the number of clicks for each person, unknown for fewer than 100 people or if links moved", () => {
    const counts = { amazonClicks: 82, isComparable: true };
    expect(arrivalRatio({ ...counts, people: 100 })).toBe(0.82);
    expect(arrivalRatio({ ...counts, people: 99 })).toBeNull();
    expect(arrivalRatio({ ...counts, people: 100, isComparable: false })).toBeNull();
  });
});

describe("arrivalTrend", () => {
  it("falls below 70 % of the median of the earlier periods", () => {
    expect(arrivalTrend(of(900, 800, 700, 559))).toEqual({
      isFalling: true,
      trend: "falling",
      ratio: 0.559,
      usualRatio: 0.8,
    });
    expect(arrivalTrend(of(900, 800, 700, 560)).isFalling).toBe(false);
    expect(arrivalTrend(of(800, 600, 489)).isFalling).toBe(true);
    expect(arrivalTrend(of(800, 600, 490))).toMatchObject({ isFalling: false, trend: "steady" });
  });

  it("needs two earlier periods with at least 100 people", () => {
    const unknown = { isFalling: false, trend: "unknown" };
    expect(arrivalTrend(of(800, 10))).toEqual({ ...unknown, ratio: 0.01, usualRatio: null });
    const few = { amazonClicks: 99, people: 99, isComparable: true };
    expect(arrivalTrend([...of(800), few, ...of(10)])).toMatchObject(unknown);
    expect(arrivalTrend([...of(800, 800), { ...few, amazonClicks: 0 }])).toMatchObject(unknown);
    expect(arrivalTrend([])).toEqual({ ...unknown, ratio: null, usualRatio: null });
  });
});
