import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Runs against a stack with the Amazon stand-in, like the tests in `e2e`; see browser-options.ts. */
export default defineConfig({
  root: join(import.meta.dirname, ".."),
  test: {
    include: ["real-browsers/*.test.ts"],
    globalSetup: "../infra/dev/stack/src/real-browsers/setup.ts",
    // Each worker has its own WebKit and Firefox.
    maxWorkers: 2,
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 50 } },
  },
});
