import { describe, expect, it } from "vitest";
import { liveProcesses, type ProcessLedger } from "./process-ledger.ts";

const ledger: ProcessLedger = {
  owner: { pid: 1, startedAt: "1" },
  children: [{ name: "gateway", pid: 10, startedAt: "100", stopSignal: "SIGTERM" }],
};
const leader = { pid: 10, parent: 1, group: 10, startedAt: "100" };
const child = { pid: 11, parent: 10, group: 10, startedAt: "101" };
const unrelated = { pid: 12, parent: 1, group: 12, startedAt: "100" };

describe("liveProcesses", () => {
  it("finds the started process and its children", () => {
    expect(liveProcesses(ledger, [leader, child, unrelated])).toEqual([leader, child]);
  });

  it("finds children whose parent has ended", () => {
    expect(liveProcesses(ledger, [child, unrelated])).toEqual([child]);
  });

  it("ignores a later process with the same pid", () => {
    const later = { ...leader, startedAt: "900" };
    expect(liveProcesses(ledger, [later, { ...child, startedAt: "901" }])).toEqual([]);
  });
});
