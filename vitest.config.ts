import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// `pnpm test` sets it, except with --all.
const long = process.env.EVERYDAY_TESTS === "1" ? ["**/*.long.test.ts"] : [];
const exclude = ["**/node_modules/**", ...long];
// Only ends tests that wait forever: no test measures time.
const testTimeout = 30_000;

export default defineConfig({
  test: {
    // One more than cores: tests spend much of their time waiting for servers.
    maxWorkers: availableParallelism() + 1,
    coverage: {
      include: ["{proto,infra,services}/**/src/**/*.ts", "web/src/**/*.{ts,tsx}"],
      exclude: ["**/testing/**"],
      reporter: ["text-summary"],
      reportsDirectory: ".data/coverage",
      reportOnFailure: true,
    },
    projects: [
      {
        test: {
          name: "proto",
          include: ["proto/**/*.test.ts"],
          exclude,
          testTimeout,
          // Its modules have no state: loading them for each file takes a third of the CPU time.
          isolate: false,
        },
      },
      {
        test: {
          name: "node",
          include: ["{infra,services}/**/*.test.ts"],
          exclude,
          globalSetup: "infra/dev/stack/src/test-servers/test-servers.ts",
          hookTimeout: 120_000,
          testTimeout,
        },
      },
      "web/vite.config.ts",
    ],
  },
});
