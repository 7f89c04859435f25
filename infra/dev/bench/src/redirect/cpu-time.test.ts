import { processEntry } from "@tapthru/local/processes/process-table";
import { expect, it } from "vitest";
import { cpuNanoseconds, cpuSeconds } from "./cpu-time.ts";

it("reads the time on a core, in nanoseconds", () => {
  expect(cpuNanoseconds("1250000000 300 7\n")).toBe(1_250_000_000);
});

it("counts what the processes of a group have used", () => {
  const groups = [processEntry(process.pid)?.group ?? 0];
  const before = cpuSeconds(groups);
  const end = process.cpuUsage().user + 50_000;
  while (process.cpuUsage().user < end);
  expect(cpuSeconds(groups) - before).toBeGreaterThanOrEqual(0.04);
  expect(cpuSeconds([])).toBe(0);
});
