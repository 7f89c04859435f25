import type { Page } from "@playwright/test";

/**
 * Records a page's attempts to open an app. Addresses come from the DevTools protocol, because
 * Playwright's request drops the fragment of an intent. Playwright reports when an attempt has
 * failed; only then does the browser take the next click.
 * @returns a getter of the addresses of the failed attempts, oldest first
 */
export async function watchAppAttempts(page: Page): Promise<() => string[]> {
  const requested: string[] = [];
  let failed = 0;
  const session = await page.context().newCDPSession(page);
  session.on("Page.frameRequestedNavigation", ({ url }) => {
    if (isAppAddress(url)) requested.push(url);
  });
  page.on("requestfailed", (request) => {
    if (isAppAddress(request.url())) failed += 1;
  });
  await session.send("Page.enable");
  return () => requested.slice(0, failed);
}

function isAppAddress(url: string): boolean {
  return !url.startsWith("http");
}
