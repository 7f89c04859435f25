import type { Page } from "@playwright/test";
import { Accounts, test as guestTest, newAccount } from "./accounts.ts";
import { Home } from "./home.ts";
import { expect, Links, test } from "./links.ts";

/** Counts requests from now on. @returns a getter of the count */
function countRequests(page: Page, method: string, address: RegExp): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.method() === method && address.test(request.url())) count += 1;
  });
  return () => count;
}

for (const name of ["Login", "Sign up for free"]) {
  guestTest(`a double click on '${name}' adds one history entry`, async ({ page }) => {
    const home = new Home(page);
    await home.open();
    await page.getByRole("banner").getByRole("link", { name }).dblclick();
    await expect(page.getByRole("heading", { level: 1 })).not.toContainText("Amazon links");
    await page.goBack();
    await expect(page).toHaveURL("/");
  });
}

guestTest("a double click signs up, logs out, resets the password and logs in once", async ({ page }) => {
  const accounts = new Accounts(page);
  const account = newAccount();
  const signUps = countRequests(page, "POST", /\/api\/auth\/sign-up$/);
  await page.goto("/signup");
  await accounts.fillSignUp(account);
  await accounts.button("Sign up").dblclick();
  await expect(accounts.dashboard).toBeVisible();
  expect(signUps()).toBe(1);

  const logouts = countRequests(page, "POST", /\/api\/logout$/);
  await accounts.button("Log out").dblclick();
  await expect(page).toHaveURL("/");
  await expect(accounts.toast).toHaveText("SuccessYou have been logged out successfully.");
  expect(logouts()).toBe(1);

  const resets = countRequests(page, "POST", /\/api\/auth\/password-reset$/);
  await page.goto("/login");
  await accounts.fillLogin(account);
  await accounts.button("Forgot your password?").dblclick();
  await expect(accounts.toast).toContainText("Password reset email has been sent.");
  expect(resets()).toBe(1);

  const logins = countRequests(page, "POST", /\/api\/auth\/sign-in$/);
  await accounts.button("Login").dblclick();
  await expect(accounts.dashboard).toBeVisible();
  expect(logins()).toBe(1);
});

test("a double click on 'Create link', a card and '< Back to List' adds one history entry each", async ({ page }) => {
  test.slow();
  const links = new Links(page);
  await page.goto("/privacy");
  const shortCode = await links.create();
  await page.getByRole("banner").getByRole("link", { name: "Dashboard" }).click();
  await links.button("Create link").dblclick();
  await expect(links.field).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL("/dashboard");

  await links.cards.first().locator(`a[href="/link/${shortCode}"]`).dblclick();
  await expect(page).toHaveURL(`/link/${shortCode}`);
  await links.button("< Back to List").dblclick();
  await expect(links.cards.first()).toBeVisible();
  await expect(page).toHaveURL("/dashboard");
  await page.goBack();
  await expect(page).toHaveURL("/privacy");
});

test("a double click on the confirmation deletes once", async ({ links, page }) => {
  await links.openNew();
  const deletions = countRequests(page, "DELETE", /\/api\/links\//);
  await links.button("Delete").dblclick();
  await links.dialog.getByRole("button", { name: "Delete" }).dblclick();
  await expect(links.toast).toHaveText("Link deletedThe link has been successfully deleted.");
  // They are sent after the time for 'Undo'.
  await expect.poll(deletions).toBe(1);
});
