import { join } from "node:path";
import { findChromium } from "../programs/chromium.ts";
import { withTestStack } from "../stack/test-stack.ts";
import { runPhase, type TestPhase } from "../test-report/phase.ts";
import { sumResults, type TestResults } from "../test-report/results.ts";
import {
  countPlaywrightTests,
  countVitestTests,
  runPlaywright,
  runVitest,
} from "../test-report/runners.ts";

const REAL_BROWSERS = ["--config=web/real-browsers/vitest.config.ts"];

/** Runs the browser tests against a new demo stack. */
export async function runBrowserTests(signal: AbortSignal): Promise<TestResults> {
  const chromium = await findChromium();
  return withTestStack(signal, async ({ baseUrl, settings: { ports, dataDir } }) => {
    const env: NodeJS.ProcessEnv = {
      E2E_BASE_URL: baseUrl,
      STAND_IN_TLS_PORT: String(ports.STAND_IN_TLS_PORT),
      REDIS_PORT: String(ports.REDIS_PORT),
      FIREBASE_AUTH_EMULATOR_HOST: `127.0.0.1:${ports.EMULATOR_PORT}`,
      ...(chromium !== null && { CHROMIUM_PATH: chromium }),
    };
    const options = (name: string) => ({ env, reportFile: join(dataDir, `${name}.json`) });
    const realBrowsers: TestPhase = {
      title: "Browser tests in WebKit and Firefox",
      run: () => runVitest({ ...options("real-browsers"), args: REAL_BROWSERS }, signal),
      countTests: () => countVitestTests(REAL_BROWSERS),
    };
    const inChromium: TestPhase = {
      title: "Browser tests in Chromium",
      run: () => runPlaywright(options("playwright"), signal),
      countTests: countPlaywrightTests,
    };
    return sumResults([await runPhase(realBrowsers, signal), await runPhase(inChromium, signal)]);
  });
}

/** @returns null if they cannot be listed */
export async function countBrowserTests(): Promise<number | null> {
  const counts = await Promise.all([countVitestTests(REAL_BROWSERS), countPlaywrightTests()]);
  return counts.includes(null)
    ? null
    : counts.reduce((sum: number, count) => sum + (count ?? 0), 0);
}
