import { defineConfig } from "vitest/config";

const exclude = ["**/node_modules/**"];
// Nothing is timed here: it only ends a test that waits for what never comes.
const testTimeout = 30_000;

export default defineConfig({
  test: {
    // One for each core: much of their time goes by in the servers they ask.
    maxWorkers: "100%",
    // With --coverage.
    coverage: {
      include: ["{proto,infra,services}/**/src/**/*.ts", "web/src/**/*.{ts,tsx}"],
      exclude: ["**/testing/**"],
      reporter: ["json-summary"],
      reportsDirectory: ".data/coverage",
      reportOnFailure: true,
    },
    projects: [
      { test: { name: "proto", include: ["proto/**/*.test.ts"], exclude, testTimeout } },
      {
        test: {
          name: "node",
          include: ["{infra,services}/**/*.test.ts"],
          exclude,
          globalSetup: "infra/dev/local/src/test-servers/test-servers.ts",
          // The first call to the Firebase emulator starts it.
          hookTimeout: 120_000,
          testTimeout,
        },
      },
      "web/vite.config.ts",
    ],
  },
});
