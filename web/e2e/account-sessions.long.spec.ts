import type { Page } from "@playwright/test";
import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, newAccount, test } from "./accounts.ts";

const sessions = (page: Page) => page.getByRole("list", { name: "Where you are logged in" }).getByRole("listitem");

test("logging out everywhere ends the sessions of all browsers", async ({ accounts, page, browser, baseURL }) => {
  test.slow();
  const account = await accounts.signUp(newAccount());
  const signedInAt = Date.now();
  const other = await browser.newContext({ baseURL: baseURL ?? "" });
  const otherPage = await other.newPage();
  await otherPage.goto("/login");
  await otherPage.getByLabel("Email").fill(account.email);
  await otherPage.getByLabel("Password", { exact: true }).fill(account.password);
  await otherPage.getByRole("button", { name: "Login", exact: true }).click();
  await expect(otherPage.getByRole("heading", { name: "Your Links" })).toBeVisible();

  await page.getByRole("contentinfo").getByRole("link", { name: "Your account" }).click();
  await expect(page.getByRole("main").getByText(account.email, { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Security" }).click();
  await expect(sessions(page)).toHaveCount(2);
  await expect(sessions(page).filter({ hasText: "This browser" })).toHaveCount(1);
  // The identity provider's times are whole seconds.
  await expect.poll(() => Date.now() - signedInAt).toBeGreaterThan(2_000);

  await accounts.button("Log out everywhere").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Log out everywhere" }).click();
  await expect(page).toHaveURL("/");
  await expect(accounts.toast).toHaveText("SuccessYou have been logged out successfully.");
  expect((await accounts.fetchApi("/api/sessions")).status).toBe(401);

  await otherPage.reload();
  await expect(otherPage).toHaveURL(/\/(login)?$/);
  const status = await otherPage.evaluate(async () => (await fetch("/api/links")).status);
  expect(status).toBe(401);
  await other.close();

  await accounts.logIn(account);
});

test("the sessions and the logout dialog are accessible", async ({ accounts, page }) => {
  test.slow();
  await accounts.signUp(newAccount());
  await page.goto("/account/security");
  await expect(sessions(page)).toHaveCount(1);
  await expectAccessiblePage(page);
  await accounts.button("Log out everywhere").click();
  await expectAccessiblePage(page);
});
