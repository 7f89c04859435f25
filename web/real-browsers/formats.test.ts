import { join } from "node:path";
import { chromium } from "@playwright/test";
import { build } from "vite";
import { expect, test } from "vitest";
import { LAUNCH_OPTIONS } from "../browser-options.ts";
import type { FORMATTED } from "../src/lib/testing/formatted.ts";
import type { Browser, BrowserOptions } from "./browser.ts";
import { firefoxPath, openFirefox } from "./firefox.ts";
import { openWebKit, webKitPrograms } from "./webkit.ts";

/** The pages that are opened need no network. */
const OPTIONS: BrowserOptions = { userAgent: null, size: { width: 800, height: 600 }, proxyPort: 9 };

/** The body of a function that returns FORMATTED, with all that it imports. */
async function script(): Promise<string> {
  const entry = join(import.meta.dirname, "../src/lib/testing/formatted.ts");
  const built = await build({
    configFile: false,
    logLevel: "warn",
    build: { write: false, minify: false, lib: { entry, formats: ["iife"], name: "formats" } },
  });
  const [bundle] = Array.isArray(built) ? built : [];
  if (bundle === undefined) throw new Error("Vite built nothing.");
  return `${bundle.output[0].code}\nreturn formats.FORMATTED;`;
}

async function runInChromium(body: string): Promise<unknown> {
  const browser = await chromium.launch(LAUNCH_OPTIONS);
  try {
    const page = await browser.newPage();
    return await page.evaluate(`(() => {${body}\n})()`);
  } finally {
    await browser.close();
  }
}

async function runIn(open: () => Promise<Browser>, body: string): Promise<unknown> {
  const browser = await open();
  try {
    return await browser.run(body);
  } finally {
    await browser.close();
  }
}

const FIREFOX = firefoxPath && runIn.bind(null, openFirefox.bind(null, firefoxPath, OPTIONS));
const WEBKIT = webKitPrograms && runIn.bind(null, openWebKit.bind(null, webKitPrograms, OPTIONS));

test.for([
  ["Chromium", runInChromium, ""],
  ["Firefox", FIREFOX, "Firefox is missing: install firefox-esr (Debian) or firefox"],
  ["WebKit", WEBKIT, "WebKitGTK is missing: install webkit2gtk-driver and xvfb (Debian, Ubuntu)"],
] as const)("money, numbers and dates in %s read as in Node", async ([, run, missing], { skip }) => {
  if (!run) return skip(missing);
  const found = (await run(await script())) as typeof FORMATTED;
  expect(found.map(({ shown }) => shown)).toEqual(found.map(({ expected }) => expected));
});
