import { API_KEY_PATTERN } from "@tapthru/proto/rules/api-key";
import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, newAccount, test } from "./accounts.ts";

test("an API key is created, shown once and revoked by keyboard; each step is accessible", async ({
  accounts,
  page,
}) => {
  test.slow();
  await accounts.signUp(newAccount());
  await page.goto("/account/developers");
  await expect(page.getByText("You have no API keys.")).toBeVisible();
  const focused = page.locator(":focus");

  await accounts.button("New API key").press("Enter");
  await expect(focused).toHaveAccessibleName("Name of the key");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Please enter a name")).toBeVisible();
  await page.keyboard.type(`A script with a long name ${"x".repeat(20)}`);
  await expect(page.getByRole("checkbox", { name: /^See links/ })).toBeChecked();
  await page.getByRole("radio", { name: /^No expiry/ }).focus();
  await page.keyboard.press("ArrowDown");
  const day = page.getByLabel("Last day on which the key works");
  await day.focus();
  // The month only.
  await page.keyboard.type("12");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Please enter a day, month and year")).toBeVisible();
  await expectAccessiblePage(page);

  await day.fill("2099-05-04");
  await day.press("Enter");
  await expect(focused).toHaveText("Copy your new API key now");
  const key = page.getByText(API_KEY_PATTERN);
  const text = (await key.textContent()) ?? "";
  await expectAccessiblePage(page);
  const useKey = () => page.request.get("/api/links", { headers: { authorization: `Bearer ${text}`, cookie: "" } });
  expect((await useKey()).status()).toBe(200);

  await accounts.button("I have saved the key").press("Enter");
  await expect(focused).toHaveText("New API key");
  await expect(page.getByText(text)).toHaveCount(0);
  const item = page.getByRole("list", { name: "API keys" }).getByRole("listitem");
  await expect(item).toContainText("Expires at the end of May 4, 2099");

  await item.getByRole("button").press("Enter");
  const dialog = page.getByRole("alertdialog");
  await expectAccessiblePage(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(focused).toHaveText("Revoke");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Revoke" }).press("Enter");
  await expect(accounts.toast).toHaveText("The API key was revoked.");
  await expect(page.getByText("You have no API keys.")).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(focused).toHaveText("New API key");
  expect((await useKey()).status()).toBe(401);
});
