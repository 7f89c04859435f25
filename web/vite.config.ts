import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { versionFile } from "./version-file.ts";

export default defineConfig({
  plugins: [react(), tailwindcss(), versionFile()],
  build: {
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // All of the first load in one file: split by what others share it is 2 kB larger.
        codeSplitting: { groups: [{ name: "index", tags: ["$initial"] }] },
      },
    },
  },
  server: { host: "127.0.0.1", port: 5173, strictPort: true },
  test: {
    name: "web",
    // Vitest refuses projects that differ in this: the same as in vitest.config.ts.
    maxWorkers: "100%",
    environment: "happy-dom",
    environmentOptions: { happyDOM: { url: "http://localhost:8080/" } },
    include: ["src/**/*.test.{ts,tsx}", "*.test.ts"],
    setupFiles: "src/testing/setup.ts",
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
