import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, newAccount, test } from "./accounts.ts";

test("logging out everywhere ends the sessions of all browsers", async ({
  accounts,
  page,
  browser,
  baseURL,
}) => {
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
  await expect(accounts.cards).toHaveCount(2);
  await expect(accounts.cards.filter({ hasText: "This browser" })).toHaveCount(1);
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

test("the account page and its logout dialog are accessible", async ({ accounts, page }) => {
  test.slow();
  await accounts.signUp(newAccount());
  await page.goto("/account");
  await expect(accounts.cards).toHaveCount(1);
  await expectAccessiblePage(page);
  await accounts.button("Log out everywhere").click();
  await expectAccessiblePage(page);
});
