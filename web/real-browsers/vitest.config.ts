import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Runs against a stack with the Amazon stand-in, like the tests in `e2e`; see browser-options.ts. */
export default defineConfig({
  root: join(import.meta.dirname, ".."),
  test: {
    include: ["real-browsers/*.test.ts"],
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
  },
});
