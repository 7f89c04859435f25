import { expect, it } from "vitest";
import { STANDBY_USABLE_UP_TO_MS, usesStandby } from "./uses-standby.ts";

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
