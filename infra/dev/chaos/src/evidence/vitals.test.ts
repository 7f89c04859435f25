import { expect, it } from "vitest";
import { checkVitals, type Vitals } from "./vitals.ts";

const START: Vitals = {
  name: "redirect-1",
  pid: 1,
  residentBytes: 100e6,
  cpuSeconds: 1,
  responses: 1_000,
  logRecords: 3,
};
const BEFORE: Vitals = { ...START, cpuSeconds: 2, responses: 2_000 };
const AFTER: Vitals = { ...BEFORE, cpuSeconds: 3, responses: 3_000, logRecords: 7 };

function failedChecks(after: Partial<Vitals>): string[] {
  const afterFault = [{ ...AFTER, ...after }];
  return checkVitals({ baseline: [START], beforeFault: [BEFORE], afterFault, transitions: 2 })
    .filter(({ passed }) => !passed)
    .map(({ label }) => label);
}

it("passes with a replica whose figures did not change", () => {
  expect(failedChecks({})).toEqual([]);
});

it.each([
  ["restarts", { pid: 2 }],
  ["log records in 2 transitions", { logRecords: 8 }],
  ["memory, ratio to before", { residentBytes: 121e6 }],
  ["CPU per request, ratio to before", { cpuSeconds: 3.51 }],
])("fails on %s", (label, after) => {
  expect(failedChecks(after)).toEqual([`redirect-1: ${label}`]);
});
