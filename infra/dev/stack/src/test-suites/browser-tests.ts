import { join } from "node:path";
import { findChromium } from "../programs/chromium.ts";
import { withTestStack } from "../stack/test-stack.ts";
import type { Outcome } from "./outcomes.ts";
import { runPlaywright, runVitest } from "./runners.ts";

/** Runs the browser tests against a new demo stack. @param all also the long ones, and those in WebKit and Firefox */
export async function runBrowserTests(all: boolean, signal: AbortSignal): Promise<Outcome[]> {
  const chromium = await findChromium();
  return withTestStack(signal, async ({ baseUrl, settings: { ports, dataDir } }) => {
    const env: NodeJS.ProcessEnv = {
      E2E_BASE_URL: baseUrl,
      STAND_IN_TLS_PORT: String(ports.STAND_IN_TLS_PORT),
      REDIS_PORT: String(ports.REDIS_PORT),
      TAPTHRU_DATA_DIR: dataDir,
      ...(chromium !== null && { CHROMIUM_PATH: chromium }),
      ...(!all && { EVERYDAY_TESTS: "1" }),
    };
    const options = (name: string) => ({ env, reportFile: join(dataDir, `${name}.json`) });
    const realBrowsers = {
      ...options("real-browsers"),
      title: "Browser tests in WebKit and Firefox",
      args: ["--config=web/real-browsers/vitest.config.ts"],
    };
    const inChromium = { ...options("playwright"), title: "Browser tests in Chromium" };
    return [
      ...(all ? await runVitest(realBrowsers, signal) : []),
      ...(await runPlaywright(inChromium, signal)),
    ];
  });
}
