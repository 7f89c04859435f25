import { availableParallelism } from "node:os";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { compressedFiles } from "./compressed-files.ts";
import { BUILD_TARGET } from "./oldest-browsers.ts";
import { preloadedChunks } from "./preloaded-chunks.ts";
import { prerenderedPages } from "./prerendered-pages.ts";
import { unusedRouterParts } from "./unused-router-parts.ts";
import { versionFile } from "./version-file.ts";

const QUERIES = /@tanstack[/](query-core|react-query)|lib[/](http[/]queries|use-single-mutation)/;
/** What forms need without the start page is not in its script. The start page has no numbers, dates and dialogs. */
const COMMON =
  /src[/](components|lib)[/](?!locale-formats|dates|ui[/](dialog|form)[.])|lucide-react|rules[/](amazon[/](hosts|marketplaces)|messages[/]add-tag)/;

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    unusedRouterParts(),
    prerenderedPages(),
    preloadedChunks(),
    versionFile(),
    compressedFiles(),
  ],
  build: {
    target: BUILD_TARGET,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Constants such as limits are written where they are used, and not exported between scripts.
      optimization: { inlineConst: { mode: "all", pass: 3 } },
      output: {
        // Split by shared modules alone, there would be 2 kB more, and 20 files more for the start page.
        codeSplitting: {
          groups: [
            { name: "index", tags: ["$initial"], priority: 3 },
            { name: "queries", test: QUERIES, priority: 2 },
            { name: "common", test: COMMON, minShareCount: 5, priority: 1 },
            { name: "home", test: /src[/]app[/]routes[/]home[.]tsx$/ },
          ],
        },
      },
    },
  },
  server: { host: "127.0.0.1", port: 5173, strictPort: true },
  test: {
    name: "web",
    // Vitest requires the same value in all projects: see vitest.config.ts.
    maxWorkers: availableParallelism() + 1,
    environment: "happy-dom",
    environmentOptions: { happyDOM: { url: "http://localhost:8080/" } },
    include: ["src/**/*.test.{ts,tsx}", "*.test.ts"],
    setupFiles: "src/testing/setup.ts",
    hookTimeout: 60_000,
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
