import type { ClickClass } from "@tapthru/proto/clicks/keys";
import { expect, it } from "vitest";
import type { Crash, CrashTarget } from "../injectors/crash-at-random.ts";
import type { ClickOutcome, ClickVisit } from "../load/clicks/click-load.ts";
import { VISIT_KINDS } from "../load/clicks/visit-kinds.ts";
import { checkClicks } from "./r27-checks.ts";

const LOST = "links that lost other clicks";
const SURPLUS = "links with more clicks than visits";

function visit(at: number, fields: Partial<ClickVisit> = {}): ClickVisit {
  return {
    at,
    replica: 0,
    code: "abc2345",
    kind: kindOf("person on a desktop"),
    outcome: "served",
    ...fields,
  };
}

function kindOf(name: string): number {
  return VISIT_KINDS.findIndex((kind) => kind.name === name);
}

function crash(target: CrashTarget, at: number): Crash {
  return { target, at, readyAt: at + 500 };
}

function failedChecks(
  visits: ClickVisit[],
  counted: Partial<Record<ClickClass, number>>,
  ...crashes: Crash[]
): string[] {
  const evidence = { visits, crashes, counted: new Map([["abc2345", counted]]) };
  return checkClicks({ ...evidence, delaySeconds: 0 })
    .filter(({ passed }) => !passed)
    .map(({ label }) => label);
}

it("has shares that add up to 1", () => {
  expect(VISIT_KINDS.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
});

it("passes if each served visit is counted once", () => {
  expect(failedChecks([visit(1_000), visit(2_000)], { person: 2 })).toEqual([]);
});

it("fails on lost clicks", () => {
  expect(failedChecks([visit(1_000), visit(2_000)], { person: 1 })).toEqual([LOST]);
  expect(failedChecks([visit(1_000)], {})).toEqual([LOST]);
});

it("fails on clicks that were counted twice or in two classes", () => {
  expect(failedChecks([visit(1_000)], { person: 2 })).toEqual([SURPLUS]);
  expect(failedChecks([visit(1_000)], { person: 1, bot: 1 })).toEqual([SURPLUS]);
});

it.each(["HEAD", "return from an in-app browser", "Google's prefetch proxy"])(
  "fails if %s is counted",
  (name) => {
    const visits = [visit(1_000, { kind: kindOf(name) })];
    expect(failedChecks(visits, {})).toEqual([]);
    expect(failedChecks(visits, { person: 1 })).toEqual([SURPLUS]);
  },
);

it("accepts that a visit without a response is counted or not, and no refused one", () => {
  const lost = (outcome: ClickOutcome) => [visit(1_000), visit(1_000, { outcome })];
  expect(failedChecks(lost("no response"), { person: 1 })).toEqual([]);
  expect(failedChecks(lost("no response"), { person: 2 })).toEqual([]);
  expect(failedChecks(lost("refused"), { person: 1 })).toEqual([]);
  expect(failedChecks(lost("refused"), { person: 2 })).toEqual([SURPLUS]);
});

it("accepts the loss of the last second of a killed redirect only", () => {
  const lostAt = (at: number, ...crashes: Crash[]) => failedChecks([visit(at)], {}, ...crashes);
  expect(lostAt(9_000, crash("redirect-1", 10_000))).toEqual([]);
  expect(lostAt(8_999, crash("redirect-1", 10_000))).toEqual([LOST]);
  expect(lostAt(9_000, crash("redirect-2", 10_000))).toEqual([LOST]);
  expect(lostAt(9_000, crash("worker-1", 10_000))).toEqual([LOST]);
  expect(lostAt(11_000, crash("redirect-1", 10_000))).toEqual([LOST]);
});

it("accepts a loss that is longer by the delay of the event loop", () => {
  const lostAt = (at: number) => {
    const evidence = { visits: [visit(at)], crashes: [crash("redirect-1", 10_000)] };
    return checkClicks({ ...evidence, counted: new Map(), delaySeconds: 0.25 });
  };
  expect(lostAt(8_750).every(({ passed }) => passed)).toBe(true);
  expect(lostAt(8_749).every(({ passed }) => passed)).toBe(false);
});

it("accepts the loss of what waited for the queue Redis in a killed redirect, or was lost with both", () => {
  const lostAt = (at: number, queueAt: number) =>
    failedChecks([visit(at)], {}, crash("queue Redis", queueAt), crash("redirect-1", 10_000));
  expect(lostAt(5_000, 8_000)).toEqual([]);
  expect(lostAt(4_999, 8_000)).toEqual([LOST]);
  expect(lostAt(5_000, 6_000)).toEqual([LOST]);
  expect(lostAt(9_000, 12_000)).toEqual([]);
  expect(lostAt(8_999, 12_001)).toEqual([LOST]);
});
