import { readFile } from "node:fs/promises";
import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, newAccount, test } from "./accounts.ts";
import { Links } from "./links.ts";
import { newPhone } from "./phones.ts";

test("a user downloads all data of the account", async ({ accounts, page }) => {
  const account = await accounts.signUp(newAccount());
  const shortCode = await new Links(page).create();
  await page.goto("/account/data");
  const downloading = page.waitForEvent("download");
  await accounts.button("Download your data").click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^tapthru-account-\d{4}-\d\d-\d\d\.json$/);
  const { user, links, sessions } = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(user).toMatchObject({ email: account.email, username: account.username });
  expect(links).toEqual([expect.objectContaining({ shortCode })]);
  expect(sessions).toHaveLength(1);
});

test("deleting an account deletes its links and sessions, and its login fails", async ({
  accounts,
  page,
  browser,
  baseURL,
}) => {
  test.slow();
  const account = await accounts.signUp(newAccount());
  const shortCode = await new Links(page).create();
  const visitor = await newPhone(browser, "browser-ios");
  const visit = () => visitor.request.get(`${baseURL}/l/${shortCode}`, { maxRedirects: 0 });
  expect((await visit()).status()).toBe(200);
  const otherTab = await page.context().newPage();
  await otherTab.goto("/dashboard");
  await expect(otherTab.getByRole("button", { name: "Create link" })).toBeVisible();

  await page.goto("/account/data");
  await accounts.button("Delete account").click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByLabel(`Type ${account.email} to confirm`).fill(account.email);
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(page).toHaveURL("/");
  await expect(accounts.toast).toHaveText("SuccessYour account has been deleted.");
  await expect(page.getByRole("link", { name: "Your account" })).toHaveCount(0);
  expect((await accounts.fetchApi("/api/links")).status).toBe(401);
  await expect(otherTab).toHaveURL("/");

  await expect.poll(async () => (await visit()).status()).toBe(410);
  await visitor.close();

  await page.goto("/login");
  await accounts.fillLogin(account);
  await accounts.button("Login").click();
  await expect(accounts.toast).toHaveText("ErrorInvalid email or password.");

  await accounts.signUp(account);
});

test("the deletion dialog with a validation message is accessible", async ({ accounts, page }) => {
  test.slow();
  await accounts.signUp(newAccount());
  await page.goto("/account/data");
  await accounts.button("Delete account").click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog.getByRole("textbox")).toBeFocused();
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(dialog.getByText("This is not your account's email address.")).toBeVisible();
  await expectAccessiblePage(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(accounts.button("Delete account")).toBeFocused();
});
