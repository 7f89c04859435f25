import type { WalPosition } from "@tapthru/core/platform/postgres/wal-position";
import { beforeEach, expect, it } from "vitest";
import { StandbyAge } from "./standby-age.ts";
import { STANDBY_USABLE_UP_TO_MS, usesStandby } from "./uses-standby.ts";

const KEPT_FOR_MS = 10_000;

let age: StandbyAge;
beforeEach(() => {
  age = new StandbyAge(KEPT_FOR_MS);
});

const primary = (position: number): WalPosition => ({ clusterId: "a", isStandby: false, position });
const standby = (position: number, clusterId = "a"): WalPosition => ({ clusterId, isStandby: true, position });

it("is unknown before the first comparison, and without a primary to compare with", () => {
  expect(age.ageMs(1_000)).toBeNull();
  age.observe({ at: 1_000, primary: null, standby: standby(100) });
  expect(age.ageMs(1_000)).toBeNull();
});

it("is the time since the primary had what the standby has replayed", () => {
  age.observe({ at: 1_000, primary: primary(100), standby: standby(100) });
  age.observe({ at: 1_500, primary: primary(200), standby: standby(100) });
  age.observe({ at: 2_000, primary: primary(300), standby: standby(250) });
  expect(age.ageMs(2_000)).toBe(500);
  age.observe({ at: 2_500, primary: primary(300), standby: standby(300) });
  expect(age.ageMs(2_700)).toBe(200);
});

it("does not grow while the primary writes nothing", () => {
  age.observe({ at: 1_000, primary: primary(100), standby: standby(100) });
  age.observe({ at: 9_000, primary: primary(100), standby: standby(100) });
  expect(age.ageMs(9_000)).toBe(0);
});

it("grows while the standby replays nothing, and is unknown beyond the kept time", () => {
  age.observe({ at: 1_000, primary: primary(100), standby: standby(100) });
  age.observe({ at: 6_000, primary: primary(200), standby: standby(100) });
  expect(age.ageMs(6_000)).toBe(5_000);
  age.observe({ at: 12_000, primary: primary(300), standby: standby(100) });
  age.observe({ at: 12_500, primary: primary(400), standby: standby(100) });
  expect(age.ageMs(12_500)).toBeNull();
});

it("grows while the primary is unavailable", () => {
  age.observe({ at: 1_000, primary: primary(100), standby: standby(50) });
  age.observe({ at: 2_000, primary: null, standby: standby(150) });
  expect(age.ageMs(5_000)).toBe(4_000);
});

it("is unknown while the standby is unavailable, and known as soon as it is back", () => {
  age.observe({ at: 1_000, primary: primary(100), standby: standby(100) });
  age.observe({ at: 2_000, primary: primary(200), standby: null });
  expect(age.ageMs(2_000)).toBeNull();
  age.observe({ at: 3_000, primary: primary(300), standby: standby(200) });
  expect(age.ageMs(3_000)).toBe(1_000);
});

it.each([
  ["a server of another cluster", standby(900, "b")],
  ["a server that is no standby", primary(900)],
])("is unknown for %s at any position", (_title, server) => {
  age.observe({ at: 1_000, primary: primary(100), standby: server });
  expect(age.ageMs(1_000)).toBeNull();
});

it("goes on for a standby that was promoted because the primary is unavailable", () => {
  age.observe({ at: 1_000, primary: primary(100), standby: standby(100) });
  age.observe({ at: 2_000, primary: null, standby: primary(900) });
  expect(age.ageMs(3_000)).toBe(2_000);
});

it("drops the positions of a primary that was restored", () => {
  age.observe({ at: 1_000, primary: primary(500), standby: standby(500) });
  age.observe({ at: 2_000, primary: primary(100), standby: standby(50) });
  expect(age.ageMs(2_000)).toBeNull();
});

const KNOWN = { ageMs: 400, isPrimaryAvailable: true, hasCaughtUp: true };

it.each([
  ["is current", {}, true],
  ["is five seconds old", { ageMs: 5_000 }, true],
  ["is older", { ageMs: 5_001 }, false],
  ["is older, while the primary is unavailable", { ageMs: 5_001, isPrimaryAvailable: false }, true],
  [
    "is too old, while the primary is unavailable",
    { ageMs: STANDBY_USABLE_UP_TO_MS + 1, isPrimaryAvailable: false },
    false,
  ],
  ["has an unknown age", { ageMs: null, isPrimaryAvailable: false }, false],
  ["may lack changes that the tail has not read yet", { hasCaughtUp: false }, false],
])("a standby that %s: %o, is used: %s", (_title, state, expected) => {
  expect(usesStandby({ ...KNOWN, ...state })).toBe(expected);
});
