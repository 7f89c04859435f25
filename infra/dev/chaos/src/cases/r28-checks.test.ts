import { expect, it } from "vitest";
import { checkBrokenScheme } from "./r28-checks.ts";

const TIMES = { brokenAt: 100_000, canaryAt: 200_000, changedAt: 300_000 };

const visit = (at: number, isOpened: boolean, row = "browser-ios") => ({
  at,
  isOpened,
  strategy: `2026-11-22/${row}`,
});
const VISITS = [
  visit(1_000, true),
  visit(101_000, false),
  visit(210_000, false),
  visit(210_000, true, "browser-ios-canary"),
  visit(310_000, true),
];

const FIGURES = {
  visits: VISITS,
  row: "browser-ios",
  times: TIMES,
  loadedAfterS: [1, 2],
  firingAfterS: 200,
  resolvedAfterS: 100,
  counted: 5,
  storedAfterS: 1,
};

function failedChecks(changes: Partial<typeof FIGURES>): string[] {
  return checkBrokenScheme({ ...FIGURES, ...changes })
    .filter(({ passed }) => !passed)
    .map(({ label }) => label);
}

it("passes if the alert fires and the changed row opens the app again", () => {
  expect(failedChecks({})).toEqual([]);
});

it("reports an alert that does not fire or is not resolved, and a late table", () => {
  const changes = { firingAfterS: Number.POSITIVE_INFINITY, resolvedAfterS: 301 };
  expect(failedChecks({ ...changes, loadedAfterS: [1, 6] })).toEqual([
    "time until the alert fired",
    "time until both replicas used a changed table",
    "time until the alert was resolved",
  ]);
});

it("reports a canary or a change that does not help", () => {
  const visits = [
    ...VISITS.slice(0, 3),
    visit(210_000, false, "browser-ios-canary"),
    visit(310_000, false),
  ];
  expect(failedChecks({ visits })).toEqual([
    "open rate of the canary",
    "open rate after the row was changed",
  ]);
});

it("reports missing visits", () => {
  expect(failedChecks({ visits: [] })).toContain("open rate of the canary");
});
