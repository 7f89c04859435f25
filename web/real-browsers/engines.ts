import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished } from "vitest";
import { type StrategyId, USER_AGENTS } from "../e2e/user-agents.ts";
import type { Browser, BrowserOptions } from "./browser.ts";
import { openFirefox } from "./firefox.ts";
import { startNetwork } from "./network.ts";
import { Page } from "./page.ts";
import { openWebKit } from "./webkit.ts";
import { firefox, webkit } from "./workers.ts";

export interface Engine {
  name: "WebKit" | "Firefox";
  /**
   * Opens a browser without any data. It closes when the test ends.
   * @param phone strategy whose user agent the phone has, null for a desktop
   */
  open(phone?: StrategyId | null): Promise<Page>;
}

export const DEVICES = [
  { device: "a desktop", phone: null },
  { device: "an iPhone", phone: "browser-ios" },
] as const;

/** Window sizes in pixels. No phone is narrower than 360 pixels. */
const DESKTOP_SIZE = { width: 1280, height: 900 };
const PHONE_SIZE = { width: 360, height: 780 };

/** Directory for the screenshots of failed tests. */
const SCREENSHOTS = join(import.meta.dirname, "../test-results/real-browsers");

interface Installation {
  open: ((options: BrowserOptions) => Promise<Browser>) | null;
  /** What to install on a machine without it. */
  missing: string;
}

const INSTALLATIONS: Record<Engine["name"], Installation> = {
  WebKit: {
    open: opener(webkit, openWebKit),
    missing: "WebKitGTK is missing: install webkit2gtk-driver and xvfb (Debian, Ubuntu)",
  },
  Firefox: {
    open: opener(firefox, openFirefox),
    missing: "Firefox is missing: install firefox-esr (Debian) or firefox",
  },
};

function opener<Running>(
  running: Running | null,
  open: (running: Running, options: BrowserOptions) => Promise<Browser>,
): Installation["open"] {
  return running && ((options) => open(running, options));
}

/** Defines tests for each engine. The tests of an engine that is not installed are skipped. */
export function inEachEngine(define: (engine: Engine) => void): void {
  for (const name of ["WebKit", "Firefox"] as const) {
    const { open, missing } = INSTALLATIONS[name];
    describe(name, () => {
      beforeEach(({ skip }) => skip(open === null, missing));
      define({
        name,
        async open(phone = null) {
          if (open === null) throw new Error(missing);
          const network = await startNetwork();
          const userAgent = phone && USER_AGENTS[phone];
          const browser = await open({ userAgent, proxyPort: network.port });
          onTestFinished(async ({ task }) => {
            const hasFailed = task.result?.state === "fail";
            if (hasFailed) await takeScreenshot(browser, `${name} ${task.name}`);
            const consoleErrors = await browser.consoleErrors();
            await browser.close();
            await network.close();
            if (!hasFailed) expect(consoleErrors.join("\n")).toBe("");
          });
          const size = phone === null ? DESKTOP_SIZE : PHONE_SIZE;
          await browser.driver.manage().window().setRect(size);
          return new Page(browser, network, phone !== null);
        },
      });
    });
  }
}

async function takeScreenshot({ driver }: Browser, title: string) {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const file = `${SCREENSHOTS}/${title.replaceAll(/\W+/g, "-")}.png`;
  writeFileSync(file, await driver.takeScreenshot(), "base64");
}
