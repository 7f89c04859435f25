import { expect, test } from "./home.ts";

test("a page whose script the new release does not have any more is shown after a reload", async ({ home, page }) => {
  await expect(home.field).toBeVisible();
  const isMissing = page.waitForResponse(/\/assets\/abuse-report-form-.*\.js$/);
  await page.route(/\/assets\/abuse-report-form-.*\.js$/, (route) => route.fulfill({ status: 404 }), { times: 1 });
  const isReloaded = page.waitForEvent("domcontentloaded");
  await page.getByRole("contentinfo").getByRole("link", { name: "Report a link" }).click();
  expect((await isMissing).status()).toBe(404);
  await isReloaded;
  await expect(page.getByRole("heading", { name: "Report a link" })).toBeVisible();
});
