import { existsSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { aptInstall, aptOffers } from "./apt.ts";
import { onPath } from "./on-path.ts";
import { CHECKOUT } from "./settings.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/**
 * The browser of the system, installed from its packages where that needs no password.
 * @returns null where Playwright's own build is used; it is then installed
 */
export async function findChromium(): Promise<string | null> {
  const present = installedChromium();
  if (present) return present;
  if (process.getuid?.() === 0 && onPath("apt-get") && (await aptOffers("chromium"))) {
    console.log("… installing Chromium from the system's packages");
    await aptInstall("chromium");
    const installed = installedChromium();
    if (installed) return installed;
  }
  console.log("… installing Playwright's Chromium");
  await execa("playwright", ["install", "chromium"], {
    preferLocal: true,
    localDir: join(CHECKOUT, "web"),
    stdin: "ignore",
  });
  return null;
}

function installedChromium(): string | null {
  for (const name of NAMES) {
    const found = onPath(name);
    if (found) return found;
  }
  return existsSync(MAC_CHROME) ? MAC_CHROME : null;
}
