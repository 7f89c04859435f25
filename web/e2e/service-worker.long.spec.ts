import type { Page } from "@playwright/test";
import { expectAccessiblePage } from "./accessible-page.ts";
import { createLink, expect, test } from "./home.ts";

test.use({ serviceWorkers: "allow" });

/** Opens the start page and uses it, which registers the service worker. */
async function register(page: Page) {
  await page.goto("/");
  await page.getByRole("textbox").click();
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state === "activated") return;
    await new Promise((resolve) => active?.addEventListener("statechange", resolve));
  });
}

test("a page opened offline shows the offline page, which is accessible and whose link opens the page once online", async ({
  page,
  context,
}) => {
  await register(page);
  await context.setOffline(true);
  await page.goto("/login?from=offline");
  await expect(page.getByRole("heading", { name: "You're offline" })).toBeVisible();
  await expect(page).toHaveTitle("You're offline - Tapthru");
  await expectAccessiblePage(page);
  await context.setOffline(false);
  await page.getByRole("link", { name: "Reload" }).click();
  await expect(page.getByRole("heading", { name: "Welcome back" })).toBeVisible();
  await expect(page).toHaveURL("/login?from=offline");
});

test("stores the offline page alone, and takes no part in short links and calls of the api", async ({ page }) => {
  await register(page);
  const shortUrl = await createLink(page.request);
  for (const path of [shortUrl, "/api/visitor", "/redirect"]) {
    expect((await page.goto(path))?.fromServiceWorker()).toBe(false);
  }
  await page.goto("/dashboard");
  await page.goto("/");
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toMatch(/\/sw[.]js$/);
  const stored = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(stored).toEqual(["/offline.html"]);
});
