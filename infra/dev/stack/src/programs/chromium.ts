import { existsSync } from "node:fs";
import { join } from "node:path";
import { runWebTool } from "../run-tool.ts";
import { TOOLS_DIR } from "../stack/settings.ts";
import { UserFacingError } from "../user-facing-error.ts";
import { aptHasPackage, aptInstall, extractFromApt } from "./apt.ts";
import { executable, findOnPath } from "./on-path.ts";

/** The headless shell takes a third less CPU time. Playwright's own build is one too. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const CHROMIUM = { name: "chromium", aptPackage: "chromium" };
const MISSING =
  "Missing: Chromium. Install it (Debian: `sudo apt-get install chromium`), or Google Chrome.";
const MAC_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/**
 * The system's browser, else one from its packages: root installs it, other users unpack it.
 * @returns null if Playwright's own build is used; it is then installed
 * @throws UserFacingError naming what to install
 */
export async function findChromium(): Promise<string | null> {
  const present = installedChromium();
  if (present) return present;
  if (findOnPath("apt-get") && (await aptHasPackage("chromium"))) {
    console.log("Downloading Chromium from the system's packages …");
    if (process.getuid?.() !== 0) return extractFromApt(CHROMIUM, TOOLS_DIR);
    await aptInstall(CHROMIUM.aptPackage);
    const installed = installedChromium();
    if (installed) return installed;
  }
  console.log("Installing Playwright's Chromium …");
  const { failed } = await runWebTool("playwright", ["install", "chromium"]);
  if (failed) throw new UserFacingError(MISSING);
  return null;
}

function installedChromium(): string | null {
  for (const name of NAMES) {
    const found = findOnPath(name);
    if (found) return found;
  }
  if (existsSync(MAC_CHROME)) return MAC_CHROME;
  return executable(join(TOOLS_DIR, "bin", CHROMIUM.name));
}
