import { join } from "node:path";
import { findChromium } from "./chromium.ts";
import { createStack } from "./stack.ts";
import { freeStackEnv, startWholeStack } from "./stack-process.ts";
import { runPlaywright } from "./test-report/playwright.ts";
import type { TestResults } from "./test-report/results.ts";
import type { TestRun } from "./test-run.ts";

/** Runs Playwright against a whole stack of its own, with the small Amazon beside it. */
export async function runBrowserTests(
  run: TestRun,
  interruption: AbortSignal,
): Promise<TestResults> {
  const chromium = await findChromium();
  // All browsers come from one address.
  const env: NodeJS.ProcessEnv = { ...(await freeStackEnv(run.folder)), RATE_LIMITS: "off" };
  const stack = createStack(run.ledger, interruption);
  try {
    const logFile = join(run.folder, "start.log");
    await startWholeStack({ env, logFile, options: ["--demo"] }, stack);
    return await runPlaywright(
      {
        reportFile: join(run.folder, "playwright.json"),
        env: {
          E2E_BASE_URL: `http://localhost:${env.PORT}`,
          STAND_IN_TLS_PORT: env.STAND_IN_TLS_PORT,
          REDIS_PORT: env.REDIS_PORT,
          FIREBASE_AUTH_EMULATOR_HOST: `127.0.0.1:${env.EMULATOR_PORT}`,
          ...(chromium === null ? {} : { CHROMIUM_PATH: chromium }),
        },
      },
      interruption,
    );
  } finally {
    await stack.stop();
  }
}
