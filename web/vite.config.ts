import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { compressedFiles } from "./compressed-files.ts";
import { preloadedChunks } from "./preloaded-chunks.ts";
import { prerenderedHome } from "./prerendered-home.ts";
import { versionFile } from "./version-file.ts";

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    prerenderedHome(),
    preloadedChunks(),
    versionFile(),
    compressedFiles(),
  ],
  build: {
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The initial load in one file. Split by shared modules, it would be 2 kB larger.
        codeSplitting: { groups: [{ name: "index", tags: ["$initial"] }] },
      },
    },
  },
  server: { host: "127.0.0.1", port: 5173, strictPort: true },
  test: {
    name: "web",
    // Vitest requires the same value in all projects: see vitest.config.ts.
    maxWorkers: "100%",
    environment: "happy-dom",
    environmentOptions: { happyDOM: { url: "http://localhost:8080/" } },
    include: ["src/**/*.test.{ts,tsx}", "*.test.ts"],
    setupFiles: "src/testing/setup.ts",
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
