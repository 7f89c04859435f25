import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@tapthru/runtime/testing/free-port";
import type { ProcessPlan, Stack } from "../processes/stack.ts";
import { withoutSettings } from "./inherited-environment.ts";
import { CHECKOUT, PORT_NAMES } from "./settings.ts";

/** The environment of a stack with default settings, free ports and this data folder. */
export async function isolatedStackEnv(dataDir: string): Promise<NodeJS.ProcessEnv> {
  const ports = await Promise.all(PORT_NAMES.map(async (name) => [name, String(await freePort())]));
  return {
    // Tests create accounts and empty databases, so they must not use a Firebase project or Redis from the shell's
    // environment.
    ...withoutSettings(process.env),
    TAPTHRU_DATA_DIR: dataDir,
    ...Object.fromEntries(ports),
  };
}

/** Runs `start` as a process of the stack, and waits until it prints its address. */
export async function startWholeStack(
  { env, logFile, options = [] }: { env: NodeJS.ProcessEnv; logFile: string; options?: string[] },
  stack: Stack,
): Promise<void> {
  const plan: ProcessPlan = {
    name: "start",
    command: process.execPath,
    args: [join(CHECKOUT, "infra", "dev", "stack", "src", "commands", "start.ts"), ...options],
    cwd: CHECKOUT,
    env,
    logFile,
    readyWithinMs: 300_000,
    stopWithinMs: 120_000,
  };
  await stack.start(plan, async () => /^Tapthru runs on /m.test(readFileSync(logFile, "utf8")));
}
