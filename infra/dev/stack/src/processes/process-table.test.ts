import { describe, expect, it } from "vitest";
import { parsePs, parseStat, processEntry, processTable } from "./process-table.ts";

const stat = (program: string, state: string) =>
  `42 (${program}) ${state} 1 41 41 0 -1 4194304 100 0 0 0 1 2 0 0 20 0 1 0 987654 1000 10 184`;

describe("parseStat", () => {
  it("reads the parent, the group and the start time", () => {
    const expected = { pid: 42, parent: 1, group: 41, startedAt: "987654" };
    expect(parseStat(stat("node", "S"))).toEqual(expected);
  });

  it("accepts brackets and spaces in a program's name", () => {
    expect(parseStat(stat("a) R 7 (b", "S"))?.group).toBe(41);
  });

  it("leaves out a zombie", () => {
    expect(parseStat(stat("node", "Z"))).toBeNull();
  });
});

describe("parsePs", () => {
  it("reads the output of ps on macOS", () => {
    const output =
      "    7     1     7 Ss   Thu Nov 20 07:01:02 2026    \n  501     1   499 Z    Thu Nov 20 07:01:03 2026\n";
    const expected = { pid: 7, parent: 1, group: 7, startedAt: "Thu Nov 20 07:01:02 2026" };
    expect(parsePs(output)).toEqual([expected]);
  });
});

describe("processTable", () => {
  it("contains this process with the start time of processEntry", () => {
    const own = processTable().find((entry) => entry.pid === process.pid);
    expect(own).toBeDefined();
    expect(own).toEqual(processEntry(process.pid));
  });
});
