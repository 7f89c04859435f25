import { defineConfig } from "vitest/config";

const exclude = ["**/node_modules/**"];

export default defineConfig({
  test: {
    projects: [
      { test: { name: "proto", include: ["proto/**/*.test.ts"], exclude } },
      {
        test: {
          name: "node",
          include: ["{infra,services}/**/*.test.ts"],
          exclude,
          globalSetup: "infra/local/src/test-servers.ts",
          // The first call to the Firebase emulator starts it.
          hookTimeout: 120_000,
          // Nothing is timed here: it only ends a test that waits for what never comes.
          testTimeout: 30_000,
        },
      },
      "web/vite.config.ts",
    ],
  },
});
