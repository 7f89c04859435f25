import { describe, expect, it } from "vitest";
import { parsePs, parseStat, processEntry, processTable } from "./process-table.ts";

const stat = (program: string, state: string) =>
  `42 (${program}) ${state} 1 41 41 0 -1 4194304 100 0 0 0 1 2 0 0 20 0 1 0 987654 1000 10 184`;

describe("parseStat", () => {
  it("finds the group and the time of the start", () => {
    expect(parseStat(stat("node", "S"))).toEqual({ pid: 42, group: 41, startedAt: "987654" });
  });

  it("is not misled by brackets and spaces in a program's name", () => {
    expect(parseStat(stat("a) R 7 (b", "S"))?.group).toBe(41);
  });

  it("leaves out a process that is dead and not yet reaped", () => {
    expect(parseStat(stat("node", "Z"))).toBeNull();
  });
});

describe("parsePs", () => {
  it("reads what ps of a Mac prints", () => {
    const output =
      "    1     1 Ss   Thu Nov 20 07:01:02 2026    \n  501   499 Z    Thu Nov 20 07:01:03 2026\n";
    expect(parsePs(output)).toEqual([{ pid: 1, group: 1, startedAt: "Thu Nov 20 07:01:02 2026" }]);
  });
});

describe("processTable", () => {
  it("holds this process, under the start time that processEntry gives", () => {
    const own = processTable().find((entry) => entry.pid === process.pid);
    expect(own).toBeDefined();
    expect(own).toEqual(processEntry(process.pid));
  });
});
