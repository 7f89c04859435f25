import { chooseStrategy } from "@tapthru/proto/rules/app-opening/app-opening";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { expect, it } from "vitest";
import { OutcomeTally } from "./outcome-tally.ts";

const NOW = Date.parse("2026-11-22T23:59:59Z");

function strategyOf(app: string) {
  const agent = { device: "ios", app, appVersion: null } as const;
  const strategy = chooseStrategy(BUILT_IN_OPENING_TABLE, agent);
  if (strategy === null) throw new Error(`No strategy for ${app}`);
  return strategy;
}

it("counts by day, row and outcome, and starts again after it was taken", () => {
  const tally = new OutcomeTally();
  for (const outcome of ["opened", "opened", "stayed", "unknown"] as const) tally.add(outcome, strategyOf("x"), NOW);
  tally.add("opened", strategyOf("instagram"), NOW);
  tally.add("opened", strategyOf("x"), NOW + 1_000);
  const x = { day: "2026-11-22", row: "x-ios", app: "x", os: "ios" };
  const none = { opened: 0, stayed: 0, unknown: 0 };
  expect(tally.take()).toEqual([
    { ...x, opened: 2, stayed: 1, unknown: 1 },
    { ...x, ...none, row: "instagram-ios", app: "instagram", opened: 1 },
    { ...x, ...none, day: "2026-11-23", opened: 1 },
  ]);
  expect(tally.take()).toEqual([]);
});
