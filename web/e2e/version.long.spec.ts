import type { Page } from "@playwright/test";
import { expect, test } from "./home.ts";

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

test("the first visit stores the version, and a new version reloads the page once", async ({ page }) => {
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
