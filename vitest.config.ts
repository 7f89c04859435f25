import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// `pnpm test` sets it, except with --all.
const long = process.env.EVERYDAY_TESTS === "1" ? ["**/*.long.test.ts"] : [];
const exclude = ["**/node_modules/**", ...long];
// They only end tests that wait forever: no test measures time, and a busy machine is many times slower.
const testTimeout = 120_000;
const hookTimeout = 300_000;
// Modules are loaded once for each process: loading them for each file takes half of the CPU time. A file restores what it
// changes of the process.
const isolate = false;

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
          isolate,
        },
      },
      {
        test: {
          name: "node",
          include: ["{infra,services}/**/*.test.ts"],
          exclude,
          globalSetup: "infra/dev/stack/src/test-servers/test-servers.ts",
          hookTimeout,
          testTimeout,
          expect: { poll: { timeout: 60_000 } },
          isolate,
        },
      },
      "web/vite.config.ts",
    ],
  },
});
