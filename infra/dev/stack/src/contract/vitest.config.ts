import { defineConfig } from "vitest/config";

/** Runs against a stack without rate limits; see test-suites/contract-tests.ts. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["*.suite.ts"],
    // Only ends runs that wait forever.
    testTimeout: 1_200_000,
  },
});
