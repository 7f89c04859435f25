import { join } from "node:path";
import { createTestRun } from "../test-servers/test-run.ts";
import { readSettings, type Settings } from "./settings.ts";
import { createStack, type Stack } from "./stack.ts";
import { freeStackEnv, startWholeStack } from "./stack-process.ts";

interface TestStack {
  baseUrl: string;
  settings: Settings;
  /** Starts further processes. */
  stack: Stack;
}

/** Runs `work` with a demo stack on free ports without rate limits, and removes the stack afterwards. */
export async function withTestStack<Result>(
  signal: AbortSignal,
  work: (testStack: TestStack) => Promise<Result>,
): Promise<Result> {
  const run = await createTestRun();
  const stack = createStack(run.ledger, signal);
  process.once("exit", stack.kill);
  try {
    const free = await freeStackEnv(run.folder);
    const baseUrl = `http://127.0.0.1:${free.PORT}`;
    // All load comes from one address.
    const env = { ...free, PUBLIC_BASE_URL: baseUrl, RATE_LIMITS: "off" };
    const logFile = join(run.folder, "start.log");
    await startWholeStack({ env, logFile, options: ["--demo"] }, stack);
    return await work({ baseUrl, settings: readSettings(env), stack });
  } finally {
    await stack.stop();
    process.off("exit", stack.kill);
    await run.remove();
  }
}
