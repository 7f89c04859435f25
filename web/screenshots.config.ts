import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import config from "./playwright.config.ts";

const { SCREENSHOTS_DIR = join(import.meta.dirname, "screenshots") } = process.env;
// The workers ask for it.
process.env.SCREENSHOTS_DIR = SCREENSHOTS_DIR;

/** Pictures of all screens and states, of a stack that runs with the stand-in Amazon. */
export default defineConfig({
  ...config,
  // Playwright empties it beforehand.
  outputDir: SCREENSHOTS_DIR,
  // The demo video stands still.
  use: { ...config.use, contextOptions: { reducedMotion: "reduce" } },
  grep: /\bsound\b/,
  projects: (config.projects ?? []).filter(({ name }) => name === "desktop"),
});
