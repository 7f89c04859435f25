import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Against a running stack with the stand-in Amazon, as the tests of `e2e`; see browser-options.ts. */
export default defineConfig({
  root: join(import.meta.dirname, ".."),
  test: {
    include: ["real-browsers/*.test.ts"],
    globalSetup: "../infra/dev/local/src/real-browsers/setup.ts",
    // Each worker has a WebKit and a Firefox of its own.
    maxWorkers: 2,
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 50 } },
  },
});
