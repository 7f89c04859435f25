import type { Page } from "@playwright/test";
import { TOAST_DURATION_MS } from "@tapthru/proto/rules/limits";
import { expect, Home, test } from "./home.ts";

const CHECK_INTERVAL_MS = 5 * 60_000;

/** Serves test versions. `deploy` sets the version; `loads` returns how often the page has loaded. */
async function serveVersions(page: Page) {
  let deployed = "one";
  let loads = 0;
  page.on("domcontentloaded", () => {
    loads += 1;
  });
  await page.route("/version.txt", (route) =>
    route.fulfill({ contentType: "text/plain; charset=utf-8", body: `${deployed}\n` }),
  );
  return {
    deploy: (version: string) => {
      deployed = version;
    },
    loads: () => loads,
  };
}

const stored = (page: Page) => page.evaluate(() => localStorage.getItem("app_version"));
const label = (page: Page, version: string) => page.getByText(`Version ${version}`);

test("the first visit stores the version, and a new version reloads the page once", async ({
  page,
}) => {
  const versions = await serveVersions(page);
  await page.goto("/");
  await expect(label(page, "one")).toBeVisible();
  await expect.poll(() => stored(page)).toBe("one");
  expect(versions.loads()).toBe(1);

  versions.deploy("two");
  await page.goto("/login");
  await expect.poll(versions.loads).toBe(3);
  await page.getByRole("link", { name: "Tapthru" }).click();
  await expect(label(page, "two")).toBeVisible();
  expect(await stored(page)).toBe("two");
  expect(versions.loads()).toBe(3);
});

test("two versions that alternate with each page load cause no reload loop", async ({ page }) => {
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await page.route("/version.txt", (route) =>
    route.fulfill({ contentType: "text/plain", body: `version-${loads % 2}` }),
  );
  await page.goto("/");
  await expect.poll(() => stored(page)).toBe("version-1");
  await page.reload();
  // It reloads once for version-0 and once for version-1, and then no more.
  await expect.poll(() => loads).toBe(4);
  await expect(page.getByText("Version version-0")).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(loads).toBe(4);
});

test("a new version reloads the page only once the field is empty and its validation message is closed", async ({
  page,
}) => {
  await page.clock.install();
  const versions = await serveVersions(page);
  const home = new Home(page);
  await home.open();
  await expect(label(page, "one")).toBeVisible();
  await home.field.fill("https://www.ama");
  await home.field.blur();

  versions.deploy("two");
  await page.clock.runFor(CHECK_INTERVAL_MS);
  await expect(label(page, "two")).toBeVisible();
  await page.clock.runFor(60_000);
  await expect(home.field).toHaveValue("https://www.ama");
  expect(versions.loads()).toBe(1);

  await home.field.fill("");
  await home.field.press("Enter");
  await expect(home.toast).toHaveText("ErrorPlease enter an Amazon URL");
  await home.field.blur();
  await page.clock.runFor(TOAST_DURATION_MS);
  await expect.poll(versions.loads).toBe(2);
});

test("a new version does not reload the page while a link is displayed", async ({ page }) => {
  await page.clock.install();
  const versions = await serveVersions(page);
  const home = new Home(page);
  await home.open();
  const shortUrl = await home.createLink();
  await home.field.fill("");
  await home.field.blur();
  versions.deploy("two");
  await page.clock.runFor(CHECK_INTERVAL_MS);
  await expect(label(page, "two")).toBeVisible();
  await page.clock.runFor(60_000);
  await expect(home.shortLink).toHaveText(shortUrl);
  expect(versions.loads()).toBe(1);
});
