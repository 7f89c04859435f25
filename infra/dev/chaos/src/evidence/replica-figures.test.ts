import { expect, it } from "vitest";
import { checkReplicaFigures, type ReplicaFigures } from "./replica-figures.ts";

const START: ReplicaFigures = {
  name: "redirect-1",
  pid: 1,
  residentBytes: 100e6,
  cpuSeconds: 1,
  responses: 1_000,
  logRecords: 3,
};
const BEFORE: ReplicaFigures = { ...START, cpuSeconds: 2, responses: 2_000 };
const AFTER: ReplicaFigures = { ...BEFORE, cpuSeconds: 3, responses: 3_000, logRecords: 7 };

function failedChecks(after: Partial<ReplicaFigures>): string[] {
  const afterFault = [{ ...AFTER, ...after }];
  return checkReplicaFigures({
    baseline: [START],
    beforeFault: [BEFORE],
    afterFault,
    transitions: 2,
  })
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
