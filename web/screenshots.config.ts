import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import config from "./playwright.config.ts";

const { SCREENSHOTS_DIR = join(import.meta.dirname, "screenshots") } = process.env;
// Playwright's worker processes read it.
process.env.SCREENSHOTS_DIR = SCREENSHOTS_DIR;

/** Takes screenshots of all screens and states, on a stack with the Amazon stand-in. */
export default defineConfig({
  ...config,
  // Playwright empties this directory first.
  outputDir: SCREENSHOTS_DIR,
  // Pictures of animations would differ from run to run.
  use: { ...config.use, contextOptions: { reducedMotion: "reduce" } },
  // Six pictures of each state, on a machine of any speed.
  timeout: 300_000,
  grep: /\baccessible\b|@screenshots/,
  projects: (config.projects ?? []).filter(({ name }) => name === "desktop"),
});
