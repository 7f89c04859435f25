import { join } from "node:path";
import { fillRedis } from "@tapthru/bench/redirect/populate";
import { localDatabaseUrl } from "@tapthru/local/on-database";
import { readSettings } from "@tapthru/local/settings";
import { createStack } from "@tapthru/local/stack";
import { freeStackEnv, startWholeStack } from "@tapthru/local/stack-process";
import { createTestRun } from "@tapthru/local/test-run";
import { seed } from "./seed.ts";

/**
 * Has work done at a stack on free ports that limits nobody, with as many links in Postgres and in Redis.
 * Nothing is left of it.
 * @param work is given the stack's address
 */
export async function withOwnStack<T>(
  links: number,
  signal: AbortSignal,
  work: (baseUrl: string) => Promise<T>,
): Promise<T> {
  const run = await createTestRun();
  const stack = createStack(run.ledger, signal);
  process.once("exit", stack.kill);
  try {
    const free = await freeStackEnv(run.folder);
    const baseUrl = `http://127.0.0.1:${free.PORT}`;
    // All load comes from one address.
    const env = { ...free, PUBLIC_BASE_URL: baseUrl, RATE_LIMITS: "off" };
    console.log("… starting a stack");
    const logFile = join(run.folder, "start.log");
    await startWholeStack({ env, logFile, options: ["--demo"] }, stack);
    const settings = readSettings(env);
    console.log(`… putting ${links} links there`);
    await seed(localDatabaseUrl(settings), links);
    await fillRedis(settings.ports.REDIS_PORT, 0, links);
    return await work(baseUrl);
  } finally {
    await stack.stop();
    process.off("exit", stack.kill);
    await run.remove();
  }
}
