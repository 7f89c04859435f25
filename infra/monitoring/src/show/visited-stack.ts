import { join } from "node:path";
import { readSettings } from "@tapthru/local/settings";
import { createStack } from "@tapthru/local/stack";
import { freeStackEnv, startWholeStack } from "@tapthru/local/stack-process";
import { createTestRun } from "@tapthru/local/test-run";
import { type Prometheus, startPrometheus } from "./prometheus.ts";
import { keepVisiting } from "./traffic.ts";

/** Does `work` while a whole stack of its own is visited, scraped by a Prometheus with our rules. */
export async function onVisitedStack<Result>(
  interruption: AbortSignal,
  work: (prometheus: Prometheus) => Promise<Result>,
): Promise<Result> {
  const run = await createTestRun();
  const stack = createStack(run.ledger, interruption);
  process.once("exit", stack.kill);
  try {
    const free = await freeStackEnv(run.folder);
    const baseUrl = `http://127.0.0.1:${free.PORT}`;
    const env = { ...free, PUBLIC_BASE_URL: baseUrl, RATE_LIMITS: "off" };
    const logFile = join(run.folder, "start.log");
    await startWholeStack({ env, logFile, options: ["--demo"] }, stack);
    const prometheus = await startPrometheus(readSettings(env), stack);
    const over = new AbortController();
    const visiting = keepVisiting(baseUrl, AbortSignal.any([over.signal, interruption]));
    const endedEarly = visiting.then(() => {
      throw new Error("The visits ended early");
    });
    try {
      return await Promise.race([work(prometheus), endedEarly]);
    } finally {
      over.abort();
      await visiting;
    }
  } finally {
    process.off("exit", stack.kill);
    await stack.stop();
    await run.remove();
  }
}
