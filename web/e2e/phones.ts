import type { Browser, BrowserContext } from "@playwright/test";
import { devices } from "@playwright/test";
import { isIphone, type StrategyId, USER_AGENTS } from "./user-agents.ts";

/** A phone, 360 pixels wide, with the user agent of a strategy. */
export function newPhone(
  browser: Browser,
  strategy: StrategyId,
  options: { javaScriptEnabled?: boolean; locale?: string } = {},
): Promise<BrowserContext> {
  return browser.newContext({
    ...devices[isIphone(strategy) ? "iPhone 15" : "Pixel 7"],
    userAgent: USER_AGENTS[strategy],
    viewport: { width: 360, height: 640 },
    ignoreHTTPSErrors: true,
    ...options,
  });
}

export { isIphone, type StrategyId };
