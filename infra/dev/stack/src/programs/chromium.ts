import { existsSync } from "node:fs";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { runWebTool } from "../run-tool.ts";
import { findUnpacked } from "./find-programs.ts";
import { findOnPath } from "./on-path.ts";

/** The headless shell takes a third less CPU time. Playwright's own build is one too. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/**
 * The system's browser, else one from its packages.
 * @param withExtensions whether it must load extensions, which the headless shell does not
 * @returns null if Playwright's own build is used; it is then installed
 * @throws UserFacingError naming what to install
 */
export async function findChromium(withExtensions = false): Promise<string | null> {
  for (const name of withExtensions ? NAMES.slice(1) : NAMES) {
    const found = findOnPath(name);
    if (found) return found;
  }
  if (existsSync(MAC_CHROME)) return MAC_CHROME;
  const unpacked = await findUnpacked({
    name: "chromium",
    packages: ["chromium", "chromium-common"],
    versionOption: "--version",
  });
  if (unpacked) return unpacked;
  console.log("Installing Playwright's Chromium …");
  const { failed } = await runWebTool("playwright", ["install", "chromium"]);
  if (!failed) return null;
  throw new UserFacingError(
    "Missing: Chromium. Install it (Debian: `sudo apt-get install chromium`), or Google Chrome.",
  );
}
