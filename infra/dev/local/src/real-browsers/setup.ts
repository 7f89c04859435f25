import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { createStack } from "../stack/stack.ts";
import { createTestRun } from "../test-servers/test-run.ts";
import { findFirefox, findWebKit } from "./find-browsers.ts";
import { startFirefox } from "./firefox.ts";
import { startWebKit } from "./webkit.ts";

/**
 * Vitest's global setup of the tests in real browsers. REAL_BROWSERS has the browsers of each worker as
 * JSON; null means that the machine has no such browser.
 */
export default async function setup({ config }: TestProject): Promise<() => Promise<void>> {
  const firefox = findFirefox();
  const webkit = findWebKit();
  const run = await createTestRun();
  const stack = createStack(run.ledger);
  // Vitest runs no teardown when it is interrupted.
  process.once("exit", stack.kill);
  const stop = async () => {
    await stack.stop();
    await run.remove();
  };

  const locate = (engine: string, worker: number) => ({
    name: `${engine} ${worker}`,
    folder: join(run.folder, `${engine}-${worker}`),
  });
  const startBoth = async (worker: number) => ({
    WebKit: webkit && (await startWebKit(webkit, locate("WebKit", worker), stack)),
    Firefox: firefox && (await startFirefox(firefox, locate("Firefox", worker), stack)),
  });
  try {
    const workers = Array.from({ length: config.maxWorkers }, (_, index) => startBoth(index + 1));
    process.env.REAL_BROWSERS = JSON.stringify(await Promise.all(workers));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
