import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CoveredDays,
  comparedDays,
  countedDays,
  daysBefore,
  daysBetween,
  incomparable,
  openedShare,
  plusDays,
} from "./days.ts";

describe("the days before", () => {
  it.each([
    ["days", "2026-11-01 2026-11-30", "2026-10-02 2026-10-31"],
    ["days", "2026-06-01 2026-06-30", "2026-05-02 2026-05-31"],
    ["month", "2026-11-01 2026-11-28", "2026-10-01 2026-10-28"],
    ["month", "2026-10-01 2026-10-31", "2026-09-01 2026-09-30"],
    ["month", "2026-02-01 2026-02-28", "2026-01-01 2026-01-31"],
    ["month", "2026-03-01 2026-03-30", "2026-02-01 2026-02-28"],
    ["month", "2026-10-01 2026-11-30", "2026-08-01 2026-09-30"],
    ["year", "2024-02-01 2024-02-29", "2023-02-01 2023-02-28"],
    ["year", "2024-02-01 2024-03-10", "2023-02-01 2023-03-11"],
    ["year", "2024-02-29 2024-02-29", "2023-02-28 2023-02-28"],
  ] as const)("by %s, %s is compared with %s", (comparison, period, before) => {
    const [from = "", to = ""] = period.split(" ");
    const days = daysBefore({ from, to }, comparison);
    expect(`${days.from} ${days.to}`).toBe(before);
  });

  it("as many days end where the period begins, in each month and leap year", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 800 }), (start, length) => {
        const from = plusDays("2023-01-01", start);
        const before = daysBefore({ from, to: plusDays(from, length) }, "days");
        expect([daysBetween(before.from, before.to), plusDays(before.to, 1)]).toEqual([length, from]);
      }),
    );
  });
});

const part = (from: string, to: string, changes: Partial<CoveredDays> = {}): CoveredDays => ({
  ...{ marketplace: "de", storeId: "", kind: "earnings" },
  ...changes,
  from,
  to,
});
const NOVEMBER = { from: "2026-11-01", to: "2026-11-30" };

describe("the days that count", () => {
  it.each<[string, CoveredDays[], string]>([
    ["none covered", [], "2026-11-30"],
    ["orders alone", [part("2026-11-01", "2026-11-12", { kind: "orders" })], "2026-11-12"],
    ["bounties", [part("2026-11-05", "2026-11-14", { kind: "bounties" })], "2026-11-14"],
    [
      "earnings of two stores, and later orders",
      [
        part("2026-11-01", "2026-11-28"),
        part("2026-11-29", "2026-11-29", { marketplace: "com" }),
        part("2026-11-01", "2026-11-30", { kind: "orders" }),
      ],
      "2026-11-29",
    ],
  ])("end with the last day of earnings, else of orders: %s", (_, covered, to) => {
    const counted = countedDays(NOVEMBER, covered);
    expect(counted.to).toBe(to);
    expect(counted.covered.every((each) => each.to <= to && each.from <= each.to)).toBe(true);
  });
});

describe("the days that are compared", () => {
  const compared = (period: string, before: string, covered: readonly CoveredDays[]) => {
    const [from = "", to = ""] = period.split(" ");
    const [since = "", until = ""] = before.split(" ");
    return comparedDays({ from, to }, { from: since, to: until }, covered).map((each) => `${each.from} ${each.to}`);
  };

  it("are the same days of each store, account and kind of report", () => {
    expect(
      compared("2026-11-01 2026-11-29", "2026-10-01 2026-10-29", [
        part("2026-11-01", "2026-11-29", { marketplace: "com" }),
        part("2026-11-01", "2026-11-28"),
        part("2026-11-01", "2026-11-10", { storeId: "second-21" }),
        part("2026-11-20", "2026-11-25", { kind: "orders" }),
      ]),
    ).toEqual(["2026-10-01 2026-10-29", "2026-10-01 2026-10-28", "2026-10-01 2026-10-10", "2026-10-20 2026-10-25"]);
  });

  it("a whole month is compared with all days of another, and a part with no more than these", () => {
    const [february, january] = ["2026-02-01 2026-02-28", "2026-01-01 2026-01-31"];
    expect(compared(february, january, [part("2026-02-01", "2026-02-28")])).toEqual([january]);
    expect(compared(february, january, [part("2026-02-01", "2026-02-27")])).toEqual(["2026-01-01 2026-01-27"]);
    const march = [part("2026-03-01", "2026-03-29"), part("2026-03-30", "2026-03-31")];
    expect(compared("2026-03-01 2026-03-31", february, march)).toEqual([february]);
  });

  it("figures whose reports lack some of the days are not compared", () => {
    const known = [part("2026-10-01", "2026-10-31"), part("2026-10-01", "2026-10-20", { kind: "orders" })];
    const lacking = (...days: CoveredDays[]) => [...incomparable(days, known)].sort();
    expect(lacking(part("2026-10-01", "2026-10-28"))).toEqual([]);
    expect(lacking(part("2026-10-01", "2026-10-28", { kind: "orders" }))).toEqual(["ordered"]);
    expect(lacking(part("2026-10-01", "2026-10-02", { kind: "bounties" }))).toEqual(["earnings"]);
    expect(lacking(part("2026-09-30", "2026-10-28"))).toEqual(["earnings", "shipped"]);
    expect(lacking(part("2026-10-01", "2026-10-02", { storeId: "second-21" }))).toEqual(["earnings", "shipped"]);
  });
});

it("the share of opened apps is unknown if no page tried", () => {
  expect([openedShare({ opened: 0, tried: 0 }), openedShare({ opened: 3, tried: 4 })]).toEqual([null, 0.75]);
});
