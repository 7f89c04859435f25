import { type Browser, type BrowserContext, devices } from "@playwright/test";
import { appHeading } from "@tapthru/proto/rules/app-opening/app-page";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
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

/** The heading of the app-opening page on a phone. */
export function openingHeading(strategy: StrategyId): string {
  const row = BUILT_IN_OPENING_TABLE.rows.find(({ id }) => id === strategy);
  if (row === undefined) throw new Error(`Unknown strategy: ${strategy}`);
  return appHeading(row);
}
