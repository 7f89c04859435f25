import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { shiftClock } from "./shift-clock.ts";

const PLAN = { name: "", command: "", args: [], logFile: "", stopSignal: "SIGTERM" } as const;

it("keeps the heap limits of the service", () => {
  const env = { NODE_OPTIONS: "--max-old-space-size=192" };

  const { NODE_OPTIONS } = shiftClock(1)({ ...PLAN, env }).env ?? {};

  expect(NODE_OPTIONS).toMatch(/^--max-old-space-size=192 --import=/);
});

it("shifts Date.now() and new Date(), but no explicit date", () => {
  const { env } = shiftClock(-120_000)(PLAN);
  const script = "console.log(Date.now(), new Date().getTime(), new Date(7).getTime())";

  const output = execFileSync(process.execPath, ["-e", script], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });

  const [now = 0, date = 0, given] = output.split(" ").map(Number);
  expect(given).toBe(7);
  for (const moved of [now, date]) {
    expect(Math.abs(Date.now() - 120_000 - moved)).toBeLessThan(60_000);
  }
});
