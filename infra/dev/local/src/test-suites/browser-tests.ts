import { join } from "node:path";
import { findChromium } from "../programs/chromium.ts";
import { createStack } from "../stack/stack.ts";
import { freeStackEnv, startWholeStack } from "../stack/stack-process.ts";
import { runPhase, type TestPhase } from "../test-report/phase.ts";
import { countPlaywrightTests, runPlaywright } from "../test-report/playwright.ts";
import { sumResults, type TestResults } from "../test-report/results.ts";
import { countVitestTests, runVitest } from "../test-report/vitest.ts";
import type { TestRun } from "../test-servers/test-run.ts";

const REAL_BROWSERS = ["--config=web/real-browsers/vitest.config.ts"];

/** Runs the browser tests against a new demo stack. */
export async function runBrowserTests(
  run: TestRun,
  interruption: AbortSignal,
): Promise<TestResults> {
  const chromium = await findChromium();
  // All browsers have one address.
  const env: NodeJS.ProcessEnv = { ...(await freeStackEnv(run.folder)), RATE_LIMITS: "off" };
  const stack = createStack(run.ledger, interruption);
  try {
    const logFile = join(run.folder, "start.log");
    await startWholeStack({ env, logFile, options: ["--demo"] }, stack);
    const testEnv: NodeJS.ProcessEnv = {
      E2E_BASE_URL: `http://localhost:${env.PORT}`,
      STAND_IN_TLS_PORT: env.STAND_IN_TLS_PORT,
      REDIS_PORT: env.REDIS_PORT,
      FIREBASE_AUTH_EMULATOR_HOST: `127.0.0.1:${env.EMULATOR_PORT}`,
      ...(chromium === null ? {} : { CHROMIUM_PATH: chromium }),
    };
    const realBrowsers: TestPhase = {
      title: "Browser tests in WebKit and Firefox",
      run: () => {
        const reportFile = join(run.folder, "real-browsers.json");
        return runVitest({ args: REAL_BROWSERS, reportFile, env: testEnv }, interruption);
      },
      countTests: () => countVitestTests(REAL_BROWSERS),
    };
    const inChromium: TestPhase = {
      title: "Browser tests in Chromium",
      run: () => {
        const reportFile = join(run.folder, "playwright.json");
        return runPlaywright({ reportFile, env: testEnv }, interruption);
      },
      countTests: countPlaywrightTests,
    };
    return sumResults([
      await runPhase(realBrowsers, interruption),
      await runPhase(inChromium, interruption),
    ]);
  } finally {
    await stack.stop();
  }
}

/** @returns null if they cannot be listed */
export async function countBrowserTests(): Promise<number | null> {
  const counts = await Promise.all([countVitestTests(REAL_BROWSERS), countPlaywrightTests()]);
  return counts.includes(null)
    ? null
    : counts.reduce((sum: number, count) => sum + (count ?? 0), 0);
}
