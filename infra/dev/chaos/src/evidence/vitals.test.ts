import { expect, it } from "vitest";
import { checkVitals, type Vitals } from "./vitals.ts";

const START: Vitals = {
  name: "redirect-1",
  pid: 1,
  residentBytes: 100e6,
  cpuSeconds: 1,
  answers: 1_000,
  logRecords: 3,
};
const BEFORE: Vitals = { ...START, cpuSeconds: 2, answers: 2_000 };
const AFTER: Vitals = { ...BEFORE, cpuSeconds: 3, answers: 3_000, logRecords: 7 };

function complaints(after: Partial<Vitals>): string[] {
  const over = [{ ...AFTER, ...after }];
  return checkVitals({ begun: [START], broken: [BEFORE], over, transitions: 2 })
    .filter(({ holds }) => !holds)
    .map(({ what }) => what);
}

it("is content with a replica that went on as before", () => {
  expect(complaints({})).toEqual([]);
});

it.each([
  ["restarts", { pid: 2 }],
  ["log records in 2 transitions", { logRecords: 8 }],
  ["memory against before", { residentBytes: 121e6 }],
  ["CPU per request against before", { cpuSeconds: 3.51 }],
])("complains of %s", (what, after) => {
  expect(complaints(after)).toEqual([`redirect-1: ${what}`]);
});
