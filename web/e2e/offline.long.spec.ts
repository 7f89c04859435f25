import type { Page } from "@playwright/test";
import { messages } from "@tapthru/proto/rules/messages";
import { Accounts, newAccount } from "./accounts.ts";
import { expect, test as guestTest, PRODUCT } from "./home.ts";
import { newProduct, test } from "./links.ts";

/** A message, in a toast or at a field. */
function messageOn(page: Page, text: string) {
  return page.getByText(text).first();
}

/** Goes offline once the script of toasts has loaded, after the first script. */
async function goOffline(page: Page) {
  await expect(page.getByRole("region", { name: "Notifications" })).toBeAttached();
  await page.context().setOffline(true);
}

guestTest(
  "a link pasted offline stays in the field, names being offline, and 'Try again' creates it once online",
  async ({ home, page, context }) => {
    await goOffline(page);
    await home.field.fill(PRODUCT);
    await home.field.press("Enter");
    // Three attempts, one second apart.
    await expect(messageOn(page, "Failed to generate link")).toBeVisible({ timeout: 10_000 });
    await expect(home.field).toHaveValue(PRODUCT);
    await expect(home.field).toHaveAccessibleDescription(/^You're offline/);

    await context.setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(home.shortLink).toBeVisible();
    await expect(home.toast).toContainText("Link generated!");
  },
);

guestTest("a login and a sign-up sent offline keep the input and show the reason", async ({ page, context }) => {
  const accounts = new Accounts(page);
  const account = newAccount();
  const unreachable = "The login service could not be reached.";
  await page.goto("/signup", { waitUntil: "networkidle" });
  await accounts.fillSignUp(account);
  await goOffline(page);
  await accounts.button("Sign up").click();
  await expect(messageOn(page, "Failed to create account. Please try again.")).toBeVisible();
  await expect(page.getByRole("alert")).toContainText(unreachable);
  await expect(accounts.field("Username")).toHaveValue(account.username);
  await expect(accounts.field("Confirm password")).toHaveValue(account.password);
  await context.setOffline(false);
  await accounts.button("Sign up").click();
  await expect(accounts.dashboard).toBeVisible();

  await accounts.logOut();
  await page.goto("/login", { waitUntil: "networkidle" });
  await accounts.fillLogin(account);
  await goOffline(page);
  await accounts.button("Login").click();
  await expect(messageOn(page, unreachable)).toBeVisible();
  await expect(accounts.field("Email")).toHaveValue(account.email);
  await expect(accounts.field("Password")).toHaveValue(account.password);
  await context.setOffline(false);
  await accounts.button("Login").click();
  await expect(accounts.dashboard).toBeVisible();
});

for (const field of ["nickname", "title"] as const) {
  test(`a ${field} saved offline stays in its form and is saved once online`, async ({ links, page, context }) => {
    await links.openNew();
    await goOffline(page);
    await links.edit(field, "Typed on a train");
    await expect(messageOn(page, "Failed to update link")).toBeVisible();
    await expect(page.getByRole("textbox")).toHaveValue("Typed on a train");
    await context.setOffline(false);
    await links.button("Save").click();
    await expect(page.getByRole("textbox")).toHaveCount(0);
    await expect(page.getByText("Typed on a train").first()).toBeVisible();
  });
}

test("a deletion confirmed offline shows an error, and the link remains", async ({ links, page }) => {
  await links.openNew();
  await goOffline(page);
  await links.button("Delete").click();
  await links.dialog.getByRole("button", { name: "Delete" }).click();
  await expect(messageOn(page, "Failed to delete the link. Please try again.")).toBeVisible();
  await expect(links.name).toBeVisible();
});

test("a search typed offline stays in its field and runs once online", async ({ links, page, context }) => {
  await links.create();
  await page.reload();
  await expect(links.cards.first()).toBeVisible();
  await goOffline(page);
  await links.search.fill("nothing like it");
  await expect(page.getByRole("alert")).toHaveText("You're offline. Check your internet connection.");
  await expect(links.search).toHaveValue("nothing like it");
  await context.setOffline(false);
  await expect(page.getByText(/^No links match/)).toBeVisible();
});

test("a page whose script fails to load keeps the top bar, and a reload displays it", async ({
  links,
  page,
  context,
}) => {
  await links.createAndList();
  await goOffline(page);
  await links.button("Create link").click();
  await expect(page.getByRole("heading", { name: messages.offlineTitle })).toBeVisible();
  await expect(page.getByRole("banner").getByRole("link", { name: "Dashboard" })).toBeVisible();
  await context.setOffline(false);
  await links.button("Reload").click();
  await expect(links.field).toBeVisible();
});

test("a link pasted on the dashboard while offline says so, and is created once online", async ({
  links,
  page,
  context,
}) => {
  const { url } = newProduct();
  await expect(links.search.or(page.getByText("You haven't created any links yet."))).toBeVisible();
  await page.evaluate((text) => navigator.clipboard.writeText(text), url);
  await context.setOffline(true);
  await page.keyboard.press("ControlOrMeta+v");
  const panel = page.getByRole("region", { name: "New links" });
  await expect(panel).toContainText("You're offline. Check your internet connection.", { timeout: 15_000 });
  await context.setOffline(false);
  await panel.getByRole("button", { name: `Try again with ${url}` }).click();
  await expect(panel.getByRole("status")).toHaveText("1 link is ready");
});
