import { availableParallelism } from "node:os";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { compressedFiles } from "./compressed-files.ts";
import { BUILD_TARGET } from "./oldest-browsers.ts";
import { prerenderedPages } from "./prerendered-pages.ts";
import { versionFile } from "./version-file.ts";
import { withoutDocumentation } from "./without-documentation.ts";

/** A page needs a few scripts, not one for each module that it shares with other pages. */
const SCRIPTS = [
  { name: "index", tags: ["$initial" as const], priority: 3 },
  { name: "calls", test: /\/proto\/src\/(?!rules\/)|\/node_modules\/zod\/|\/parse-reply\.ts/, priority: 2 },
  { name: "icons", test: /\/lucide-react\//, minShareCount: 2, priority: 2 },
  { name: "parts", minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 60_000, priority: 1 },
];

export default defineConfig({
  plugins: [withoutDocumentation(), react(), tailwindcss(), prerenderedPages(), versionFile(), compressedFiles()],
  build: {
    target: BUILD_TARGET,
    modulePreload: { polyfill: false },
    // In kB, of about 150 kB gzipped: the most that the first script should have.
    chunkSizeWarningLimit: 470,
    rolldownOptions: {
      // Examples of calls are dropped that are parts of others.
      treeshake: { propertyReadSideEffects: false },
      // Constants such as limits are written where they are used, and not exported between scripts.
      optimization: { inlineConst: { mode: "all", pass: 3 } },
      output: {
        codeSplitting: { groups: SCRIPTS },
        // Rolldown adds the names of all pages that load a script.
        chunkFileNames: ({ name }) => `assets/${name.split("~")[0]}-[hash].js`,
      },
    },
  },
  worker: { format: "es" },
  server: { host: "127.0.0.1", port: 5173, strictPort: true },
  test: {
    name: "web",
    // Vitest requires the same value in all projects: see vitest.config.ts.
    maxWorkers: availableParallelism() + 1,
    environment: "happy-dom",
    environmentOptions: { happyDOM: { url: "http://localhost:8080/" } },
    include: ["src/**/*.test.{ts,tsx}", "*.test.ts"],
    setupFiles: "src/testing/setup.ts",
    // Modules are loaded once for each process: loading them for each file takes most of the CPU time.
    isolate: false,
    hookTimeout: 300_000,
    testTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
