import type { Browser, BrowserContext } from "@playwright/test";
import { devices } from "@playwright/test";
import { AGENTS, isIphone, type RowId } from "./agents.ts";

/** A phone of 360 pixels, on which one of these apps shows the page. */
export function newPhone(
  browser: Browser,
  row: RowId,
  options: { javaScriptEnabled?: boolean; locale?: string } = {},
): Promise<BrowserContext> {
  return browser.newContext({
    ...devices[isIphone(row) ? "iPhone 15" : "Pixel 7"],
    userAgent: AGENTS[row],
    viewport: { width: 360, height: 640 },
    ignoreHTTPSErrors: true,
    ...options,
  });
}

export { isIphone, type RowId };
