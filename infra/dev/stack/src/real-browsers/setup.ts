import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startTemporarily } from "../processes/start-temporarily.ts";
import { findFirefox, startFirefox } from "./firefox.ts";
import { findWebKit, startWebKit } from "./webkit.ts";

/**
 * Vitest's global setup of the tests in real browsers. REAL_BROWSERS has the browsers of each worker as
 * JSON; null means that the machine has no such browser.
 */
export default async function setup({ config }: TestProject): Promise<() => Promise<void>> {
  const firefox = findFirefox();
  const webkit = findWebKit();
  const { browsers, stop } = await startTemporarily(async (folder, stack) => {
    const locate = (engine: string, worker: number) => ({
      name: `${engine} ${worker}`,
      folder: join(folder, `${engine}-${worker}`),
    });
    const startBoth = async (worker: number) => ({
      WebKit: webkit && (await startWebKit(webkit, locate("WebKit", worker), stack)),
      Firefox: firefox && (await startFirefox(firefox, locate("Firefox", worker), stack)),
    });
    const workers = Array.from({ length: config.maxWorkers }, (_, index) => startBoth(index + 1));
    return { browsers: await Promise.all(workers) };
  });
  process.env.REAL_BROWSERS = JSON.stringify(browsers);
  return stop;
}
