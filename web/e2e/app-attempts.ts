import type { Page } from "@playwright/test";

/**
 * Watches a page try to leave for an app. The whole address comes from the browser's own protocol, as
 * Playwright's request drops the fragment of an intent; that the browser has given the attempt up,
 * and so takes the next click, comes from Playwright.
 * @returns the addresses of the attempts that are over, oldest first
 */
export async function watchAppAttempts(page: Page): Promise<() => string[]> {
  const requested: string[] = [];
  let over = 0;
  const session = await page.context().newCDPSession(page);
  session.on("Page.frameRequestedNavigation", ({ url }) => {
    if (isAppAddress(url)) requested.push(url);
  });
  page.on("requestfailed", (request) => {
    if (isAppAddress(request.url())) over += 1;
  });
  await session.send("Page.enable");
  return () => requested.slice(0, over);
}

function isAppAddress(url: string): boolean {
  return !url.startsWith("http");
}
