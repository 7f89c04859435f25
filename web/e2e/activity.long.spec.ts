import type { Page } from "@playwright/test";
import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, newAccount, test } from "./accounts.ts";
import { runSql } from "./database.ts";
import { Links } from "./links.ts";

/** Failed jobs: the stack of tests has none. */
async function serveFailingSystem(page: Page) {
  await page.route("/api/operator/system", async (route) => {
    const response = await route.fetch();
    const system = await response.json();
    const failed = {
      id: "1204",
      failedAt: "2026-11-26T08:00:00.000Z",
      attempts: 5,
      reason: `The page https://www.amazon.com/dp/${"x".repeat(40)} did not respond in time`,
    };
    const failedJobs = [{ job: "run-import", count: 30, latest: [failed] }];
    await route.fulfill({ json: { ...system, failedJobs } });
  });
}

test("users see what they changed, also of one link, and download it; each page is accessible", async ({
  accounts,
  page,
}) => {
  test.slow();
  await accounts.signUp(newAccount());
  const shortCode = await new Links(page).create();
  await page.goto("/account/activity");
  const items = page.getByRole("list", { name: "Activity" }).getByRole("listitem");
  await expect(items.filter({ hasText: `Link created${shortCode}` })).toContainText("You");
  await expectAccessiblePage(page);
  const downloading = page.waitForEvent("download");
  await accounts.button("Download CSV").click();
  expect((await downloading).suggestedFilename()).toMatch(/^activity-\d{4}-\d\d-\d\d\.csv$/);

  await page.goto(`/link/${shortCode}`);
  await accounts.button("Edit title").click();
  await page.getByRole("textbox", { name: "Title" }).fill("A mug");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Settings" }).click();
  await expect(items.first()).toContainText("changed toA mug");
  await expectAccessiblePage(page);
});

test("operators see all changes, and the system; each page is accessible", async ({ accounts, page }) => {
  test.slow();
  const { email, username } = await accounts.signUp(newAccount());
  const shortCode = await new Links(page).create();
  await runSql("UPDATE users SET is_operator = true WHERE email = $1", [email]);
  await page.goto("/operator/activity");
  await page.getByRole("searchbox").fill(username);
  await page.getByRole("combobox", { name: "What" }).selectOption("Link");
  const item = page.getByRole("listitem").filter({ hasText: `Link created${shortCode}` });
  await expect(item).toBeVisible();
  await expectAccessiblePage(page);
  await item.getByRole("link", { name: /^Address/ }).click();
  await expect(page).toHaveURL(/addressHash=[0-9a-f]{32}$/);
  await expect(item).toBeVisible();

  await serveFailingSystem(page);
  await page.goto("/operator/system");
  await expect(page.getByText("SMTP_FROM")).toBeVisible();
  await expectAccessiblePage(page);
  await accounts.button("Discard job 1204").click();
  await expectAccessiblePage(page);
});
