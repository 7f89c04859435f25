import { describe, expect, it } from "vitest";
import { liveProcesses, type ProcessLedger } from "./process-ledger.ts";

const ledger: ProcessLedger = {
  owner: { pid: 1, startedAt: "1" },
  children: [{ name: "gateway", pid: 10, startedAt: "100", stopSignal: "SIGTERM" }],
};
const leader = { pid: 10, parent: 1, group: 10, startedAt: "100" };
const worker = { pid: 11, parent: 10, group: 10, startedAt: "101" };
const stranger = { pid: 12, parent: 1, group: 12, startedAt: "100" };

describe("livingMembers", () => {
  it("finds the process that was started and its own children", () => {
    expect(liveProcesses(ledger, [leader, worker, stranger])).toEqual([leader, worker]);
  });

  it("finds children whose parent is gone", () => {
    expect(liveProcesses(ledger, [worker, stranger])).toEqual([worker]);
  });

  it("leaves alone a later process that was given the same number", () => {
    const later = { ...leader, startedAt: "900" };
    expect(liveProcesses(ledger, [later, { ...worker, startedAt: "901" }])).toEqual([]);
  });
});
