import type { Browser, Page } from "@playwright/test";
import { expectAccessiblePage } from "./accessible-page.ts";
import { Accounts, expect, getEmailLink, newAccount, test } from "./accounts.ts";
import type { Account } from "./new-account.ts";

let account: Account;
test.beforeEach(async ({ accounts, page }) => {
  account = await accounts.signUp(newAccount());
  await page.goto("/account");
});

/** Logs the account in in another browser. */
async function openOtherBrowser(browser: Browser, baseURL: string | undefined) {
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const other = new Accounts(await context.newPage());
  await other.logIn(account);
  return other;
}

/** The provider stores times in seconds: a login in the second of a change of password stays valid. */
function nextSecond() {
  const second = () => Math.floor(Date.now() / 1000);
  const start = second();
  return expect.poll(second).toBeGreaterThan(start);
}

const value = (page: Page, text: string) => page.getByRole("main").getByText(text, { exact: true });

test("a username is changed by keyboard, and another tab shows it", async ({ accounts, page, context }) => {
  const otherTab = await context.newPage();
  await otherTab.goto("/account");
  await expect(value(otherTab, account.username)).toBeVisible();
  await page.bringToFront();
  const username = `Berta ${account.username}`;

  await accounts.button("Change username").focus();
  await page.keyboard.press("Enter");
  await expect(accounts.field("New username")).toBeFocused();
  await page.keyboard.type(username);
  await page.keyboard.press("Enter");
  await expect(accounts.toast).toHaveText("Your username has been changed.");
  await expect(accounts.button("Change username")).toBeFocused();
  await expect(value(page, username)).toBeVisible();

  await otherTab.bringToFront();
  await otherTab.evaluate(() => dispatchEvent(new Event("focus")));
  await expect(value(otherTab, username)).toBeVisible();
  await page.bringToFront();
  await page.reload();
  await expect(value(page, username)).toBeVisible();
});

test("an email address changes with the link sent to it", async ({ accounts, page }) => {
  test.slow();
  const email = `new.${account.email}`;
  await accounts.button("Change email").click();
  await accounts.field("New email").fill(email);
  await accounts.field("Current password").fill("a wrong password");
  await accounts.button("Send link").click();
  await expect(page.getByText("This is not your current password.")).toBeVisible();
  await accounts.field("Current password").fill(account.password);
  await accounts.button("Send link").click();
  await expect(page.getByRole("alert")).toContainText(`We sent a link to ${email}.`);
  await expect(value(page, account.email)).toBeVisible();

  await page.goto(await getEmailLink(email, "/confirm-email"));
  await accounts.button("Confirm email").click();
  await expect(page.getByText("Your email address is confirmed.")).toBeFocused();
  await page.goto("/account");
  await expect(value(page, email)).toBeVisible();
  await accounts.logOut();
  await accounts.logIn({ ...account, email });
});

test("an address that another account has looks like success", async ({ accounts, page }) => {
  const other = account;
  await accounts.logOut();
  account = await accounts.signUp(newAccount());
  await page.goto("/account");
  await accounts.button("Change email").click();
  await accounts.field("New email").fill(other.email);
  await accounts.field("Current password").fill(account.password);
  await accounts.button("Send link").click();
  await expect(page.getByRole("alert")).toContainText(`We sent a link to ${other.email}.`);
});

test("a new password keeps this browser logged in and logs the others out", async ({
  accounts,
  page,
  browser,
  baseURL,
}) => {
  test.slow();
  const other = await openOtherBrowser(browser, baseURL);
  await nextSecond();
  const password = "another long secret";
  await accounts.button("Change password").click();
  await accounts.field("Current password").fill(account.password);
  await accounts.field("New password").fill(password);
  await accounts.field("Confirm new password").fill(password);
  await page.keyboard.press("Enter");
  await expect(accounts.toast).toHaveText(
    "SuccessYour password has been changed. You are logged out in all other browsers.",
  );
  expect((await accounts.fetchApi("/api/links")).status).toBe(200);
  expect((await other.fetchApi("/api/links")).status).toBe(401);
  await other.page.goto("/account");
  await expect(other.page).toHaveURL(/\/(login)?$/);
  await other.page.context().close();

  await page.reload();
  await expect(value(page, account.email)).toBeVisible();
  await accounts.logOut();
  await accounts.logIn({ ...account, password });
});

test("the forms of the profile are accessible", async ({ accounts, page }) => {
  test.slow();
  for (const name of ["Change username", "Change email", "Change password"]) {
    await accounts.button(name).first().click();
  }
  await page.keyboard.press("Enter");
  await expect(page.getByText("Please enter your current password")).toBeVisible();
  await expectAccessiblePage(page);
});
