import { availableParallelism } from "node:os";
import { defineConfig, devices } from "@playwright/test";
import { CONTEXT_OPTIONS, LAUNCH_OPTIONS } from "./browser-options.ts";

const JOURNEYS = "journey.spec.ts";
const REDIS_UNAVAILABLE = "redis-unavailable.spec.ts";
// `pnpm test` sets it, except with --all.
const LONG = process.env.EVERYDAY_TESTS === "1" ? ["*.long.spec.ts"] : [];

export default defineConfig({
  testDir: "e2e",
  // Playwright empties this directory first.
  outputDir: "test-results/e2e",
  // Two use four fifths of two cores.
  workers: Math.min(availableParallelism() + 1, 3),
  // These only end what never happens: no test measures time.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  forbidOnly: process.env.CI !== undefined,
  use: {
    ...CONTEXT_OPTIONS,
    // Tracing every test takes a third more CPU time.
    trace: "on-first-retry",
    launchOptions: LAUNCH_OPTIONS,
  },
  projects: [
    {
      name: "desktop",
      use: devices["Desktop Chrome"],
      testIgnore: [REDIS_UNAVAILABLE, ...LONG],
    },
    {
      name: "iphone",
      use: { ...devices["iPhone 15"], browserName: "chromium" },
      testMatch: JOURNEYS,
    },
    { name: "android", use: devices["Pixel 7"], testMatch: JOURNEYS },
    {
      name: "redis unavailable",
      use: devices["Desktop Chrome"],
      testMatch: REDIS_UNAVAILABLE,
      dependencies: ["desktop", "iphone", "android"],
    },
  ],
});
