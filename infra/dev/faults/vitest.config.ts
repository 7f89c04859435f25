import { defineConfig } from "vitest/config";

/** Each file starts a stack of its own, so they run one after the other. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["src/*.fault.ts"],
    fileParallelism: false,
    // Only end tests that wait forever: no test measures time.
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 90_000, interval: 50 } },
  },
});
