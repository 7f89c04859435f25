import type { Page } from "@playwright/test";
import { Accounts, newcomer } from "./accounts.ts";
import { expect, PRODUCT, test as visitorTest } from "./home.ts";
import { test } from "./links.ts";

/** Said by a toast, or plainly: before the first touch the script of toasts has not come. */
function told(page: Page, text: string) {
  return page.getByText(text).first();
}

visitorTest(
  "a link pasted offline stays, is told of, and is made by Enter later",
  async ({ home, page, context }) => {
    await context.setOffline(true);
    await home.field.fill(PRODUCT);
    await home.field.press("Enter");
    // It is tried three times, with a second between.
    await expect(told(page, "Failed to generate link")).toBeVisible({ timeout: 10_000 });
    await expect(home.field).toHaveValue(PRODUCT);

    await context.setOffline(false);
    await home.field.press("Enter");
    await expect(home.shortLink).toBeVisible();
    await expect(home.toast).toContainText("Link generated!");
  },
);

visitorTest("what is told plainly goes as a toast does", async ({ home, page }) => {
  await page.route(/toast-viewport/, (route) => route.abort());
  await page.clock.install();
  await home.field.fill("not a link");
  await home.field.press("Enter");
  const plain = page.getByRole("status").filter({ hasText: "Please enter a valid Amazon URL" });
  await expect(plain).toBeVisible();
  await page.clock.runFor(5_000);
  await expect(plain).toHaveCount(0);
});

visitorTest(
  "a login and a sign-up sent offline keep what was typed, and say why",
  async ({ page, context }) => {
    const accounts = new Accounts(page);
    const account = newcomer();
    const unreachable = "The login service could not be reached.";
    await page.goto("/signup", { waitUntil: "networkidle" });
    await accounts.fillSignUp(account);
    await context.setOffline(true);
    await accounts.button("Sign up").click();
    await expect(told(page, "Failed to create account. Please try again.")).toBeVisible();
    await expect(page.getByRole("alert")).toContainText(unreachable);
    await expect(accounts.field("Username")).toHaveValue(account.username);
    await expect(accounts.field("Confirm password")).toHaveValue(account.password);
    await context.setOffline(false);
    await accounts.button("Sign up").click();
    await expect(accounts.dashboard).toBeVisible();

    await accounts.logOut();
    await page.goto("/login", { waitUntil: "networkidle" });
    await accounts.fillLogin(account);
    await context.setOffline(true);
    await accounts.button("Login").click();
    await expect(told(page, unreachable)).toBeVisible();
    await expect(accounts.field("Email")).toHaveValue(account.email);
    await expect(accounts.field("Password")).toHaveValue(account.password);
    await context.setOffline(false);
    await accounts.button("Login").click();
    await expect(accounts.dashboard).toBeVisible();
  },
);

for (const field of ["nickname", "title"] as const) {
  test(`a ${field} saved offline stays in its form, and is saved later`, async ({
    links,
    page,
    context,
  }) => {
    await links.openNew();
    await context.setOffline(true);
    await links.edit(field, "Typed on a train");
    await expect(told(page, "Failed to update link")).toBeVisible();
    await expect(page.getByRole("textbox")).toHaveValue("Typed on a train");
    await context.setOffline(false);
    await links.button("Save").click();
    await expect(page.getByRole("textbox")).toHaveCount(0);
    await expect(page.getByText("Typed on a train").first()).toBeVisible();
  });
}

test("a deletion confirmed offline is told to have failed, and the link stays", async ({
  links,
  page,
  context,
}) => {
  await links.openNew();
  await context.setOffline(true);
  await links.button("Delete").click();
  await links.dialog.getByRole("button", { name: "Delete" }).click();
  await expect(told(page, "Failed to delete the link. Please try again.")).toBeVisible();
  await expect(links.name).toBeVisible();
});

test("a search typed offline stays in its field, and finds later", async ({
  links,
  page,
  context,
}) => {
  await links.make();
  await page.reload();
  await expect(links.cards.first()).toBeVisible();
  await context.setOffline(true);
  await links.search.fill("nothing like it");
  await expect(page.getByRole("alert")).toHaveText("Oops! Please try to refresh this page", {
    timeout: 15_000,
  });
  await expect(links.search).toHaveValue("nothing like it");
  await context.setOffline(false);
  await links.button("Try again").click();
  await expect(page.getByText(/^No links match/)).toBeVisible();
});

test("a page whose script does not come leaves the rest, and comes by a reload", async ({
  links,
  page,
  context,
}) => {
  await expect(links.button("Create link")).toBeVisible();
  await context.setOffline(true);
  await links.button("Create link").click();
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  await expect(page.getByRole("banner").getByRole("link", { name: "Dashboard" })).toBeVisible();
  await context.setOffline(false);
  await links.button("Reload").click();
  await expect(links.field).toBeVisible();
});
