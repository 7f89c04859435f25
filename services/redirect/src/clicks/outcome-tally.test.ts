import { chooseStrategy } from "@tapthru/proto/rules/app-opening/app-opening";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { beforeEach, expect, it } from "vitest";
import type { Opening } from "../visitor.ts";
import { OutcomeTally, type ReportedOutcome } from "./outcome-tally.ts";

const NOW = Date.parse("2026-11-22T23:59:59Z");
const { version: table } = BUILT_IN_OPENING_TABLE;

let tally: OutcomeTally;
beforeEach(() => {
  tally = new OutcomeTally();
});

function openingIn(app: string): Opening {
  const agent = { device: "ios", app, appVersion: null } as const;
  const strategy = chooseStrategy(BUILT_IN_OPENING_TABLE, agent);
  if (strategy === null) throw new Error(`No strategy for ${app}`);
  return { strategy, tableVersion: table };
}

function add(fields: Partial<ReportedOutcome> = {}, now = NOW): void {
  tally.add({ outcome: "opened", opening: openingIn("x"), appVersion: "12.17", ...fields }, now);
}

const versions = () => tally.take().map(({ appVersion }) => appVersion);

it("counts by day, row, main version and outcome", () => {
  add();
  add({ appVersion: "12.18" });
  add({ outcome: "stayed" });
  add({ outcome: "unknown", appVersion: "13" });
  add({ opening: openingIn("instagram"), appVersion: "445.0.0.26.117" });
  add({}, NOW + 1_000);
  const x = { day: "2026-11-22", table, row: "x-ios", app: "x", os: "ios" };
  const none = { opened: 0, stayed: 0, unknown: 0 };
  expect(tally.take()).toEqual([
    { ...x, ...none, appVersion: "12", opened: 2, stayed: 1 },
    { ...x, ...none, appVersion: "13", unknown: 1 },
    { ...x, ...none, row: "instagram-ios", app: "instagram", appVersion: "445", opened: 1 },
    { ...x, ...none, day: "2026-11-23", appVersion: "12", opened: 1 },
  ]);
});

it("starts again after it was taken", () => {
  add();
  tally.take();
  expect(tally.take()).toEqual([]);
});

it.each([null, "", "12345", "2024205030.1"])("has no version for %j", (appVersion) => {
  add({ appVersion });
  expect(versions()).toEqual([""]);
});

it("counts invented versions beyond a bound as unknown, and loses none", () => {
  for (let round = 0; round < 2; round++)
    for (let version = 1; version <= 1_000; version++) add({ appVersion: `${version}.0` });
  const rows = tally.take();
  expect(rows).toHaveLength(201);
  expect(rows.find(({ appVersion }) => appVersion === "")?.opened).toBe(1_600);
  expect(rows.reduce((sum, { opened }) => sum + opened, 0)).toBe(2_000);
});
