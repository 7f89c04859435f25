import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { cpuNanoseconds, cpuSeconds, processCpuSeconds } from "./cpu-time.ts";

/** Uses the CPU for 50 ms, says so, and then waits. */
const BUSY_PROGRAM = `
const used = () => { const { user, system } = process.cpuUsage(); return user + system; };
const end = used() + 50_000;
while (used() < end);
process.stdout.write("used");
process.stdin.resume();
`;

it("reads the time on a core, in nanoseconds", () => {
  expect(cpuNanoseconds("1250000000 300 7\n")).toBe(1_250_000_000);
});

it("counts what the processes of a group have used, and nothing for one that has ended", async () => {
  const child = spawn(process.execPath, ["-e", BUSY_PROGRAM], { detached: true });
  onTestFinished(() => void child.kill("SIGKILL"));
  const pid = child.pid ?? 0;
  await once(child.stdout, "data");
  expect(cpuSeconds([pid])).toBeGreaterThanOrEqual(0.04);
  expect(cpuSeconds([])).toBe(0);
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  expect(processCpuSeconds(pid)).toBe(0);
});
