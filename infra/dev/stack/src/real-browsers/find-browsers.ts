import { existsSync, globSync } from "node:fs";
import { findOnPath } from "../programs/on-path.ts";

export interface WebKitPrograms {
  driver: string;
  miniBrowser: string;
  xvfb: string;
}

const MAC_FIREFOX = "/Applications/Firefox.app/Contents/MacOS/firefox";
/** Debian and Ubuntu, then Fedora. */
const MINI_BROWSERS = [
  "/usr/lib/*/webkit*gtk-*/MiniBrowser",
  "/usr/libexec/webkit*gtk-*/MiniBrowser",
];

export function findFirefox(): string | null {
  const installed = findOnPath("firefox-esr") ?? findOnPath("firefox");
  return installed ?? (existsSync(MAC_FIREFOX) ? MAC_FIREFOX : null);
}

export function findWebKit(): WebKitPrograms | null {
  const driver = findOnPath("WebKitWebDriver");
  const xvfb = findOnPath("Xvfb");
  const [miniBrowser] = globSync(MINI_BROWSERS);
  return driver && xvfb && miniBrowser ? { driver, xvfb, miniBrowser } : null;
}
