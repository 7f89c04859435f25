import { join } from "node:path";
import { findChromium } from "../programs/chromium.ts";
import type { Settings } from "../stack/settings.ts";
import { withTestStack } from "../stack/test-stack.ts";
import type { Outcome } from "./outcomes.ts";
import { runPlaywright, runVitest } from "./runners.ts";

/**
 * Runs the browser tests against a new demo stack.
 * @param all also the long ones, and those in WebKit and Firefox
 */
export async function runBrowserTests(all: boolean, signal: AbortSignal): Promise<Outcome[]> {
  const chromium = await findChromium();
  const withExtensions = all ? await findChromium(true) : null;
  const environmentOf = ({ publicBaseUrl, ports, dataDir }: Settings): NodeJS.ProcessEnv => ({
    E2E_BASE_URL: publicBaseUrl,
    TAPTHRU_DATA_DIR: dataDir,
    STAND_IN_TLS_PORT: String(ports.STAND_IN_TLS_PORT),
    POSTGRES_PORT: String(ports.POSTGRES_PORT),
    REDIS_PORT: String(ports.REDIS_PORT),
    ...(chromium !== null && { CHROMIUM_PATH: chromium }),
    ...(withExtensions !== null && { EXTENSION_CHROMIUM_PATH: withExtensions }),
    ...(!all && { EVERYDAY_TESTS: "1" }),
  });
  return withTestStack(signal, async ({ settings }) => {
    const env = environmentOf(settings);
    const options = (name: string) => ({ env, reportFile: join(settings.dataDir, `${name}.json`) });
    const realBrowsers = {
      ...options("real-browsers"),
      title: "Browser tests in WebKit and Firefox",
      args: ["--config=web/real-browsers/vitest.config.ts"],
    };
    const inChromium = { ...options("playwright"), title: "Browser tests in Chromium" };
    return [...(all ? await runVitest(realBrowsers, signal) : []), ...(await runPlaywright(inChromium, signal))];
  });
}
