import { expect, test } from "./accounts.ts";
import { expectNoViolations, waitForAnimations } from "./axe.ts";

test.beforeEach(async ({ accounts }) => {
  await accounts.signUp();
});

test("the account menu works by keyboard", async ({ accounts, page }) => {
  const button = accounts.button("Account menu");
  const menu = page.getByRole("menu", { name: "Account menu" });
  await button.focus();
  await page.keyboard.press("ArrowDown");
  await expect(menu.getByRole("menuitem", { name: "Account" })).toBeFocused();
  await expect(menu.getByRole("menuitem", { name: "Account" })).toHaveCSS("outline-style", "solid");
  await page.keyboard.press("ArrowDown");
  await expect(menu.getByRole("menuitem", { name: "Stores and tags" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(button).toBeFocused();

  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/account");
  await expect(menu).toBeHidden();
  await expect(page.getByRole("main")).toBeFocused();

  await button.focus();
  await page.keyboard.press("Enter");
  await expect(menu.getByRole("menuitem", { name: "Account" })).toHaveAttribute("aria-current", "page");
  await expect(menu.getByRole("menuitem", { name: "Account" })).toBeFocused();
  await page.keyboard.press("End");
  await expect(menu.getByRole("menuitem", { name: "Stores and tags" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/account/stores");
});

test("without its script, a link to the account page is in place of the account menu", async ({ accounts, page }) => {
  const script = /account-dropdown/;
  await page.route(script, (route) => route.abort());
  await page.reload();
  await expect(accounts.dashboard).toBeVisible();
  const bar = page.getByRole("banner");
  await bar.getByRole("link", { name: "Account", exact: true }).click();
  await expect(page).toHaveURL("/account");
});

test("on a small screen the script of the account menu does not load", async ({ accounts, page }) => {
  const script = /account-dropdown/;
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await expect(page.getByText("You haven't created any links yet.")).toBeVisible();
  expect(requested.filter((url) => script.test(url))).toEqual([]);

  await page.setViewportSize({ width: 1280, height: 740 });
  await expect(accounts.button("Account menu")).toBeVisible();
});

test("the open account menu has no violations, and fits large text", async ({ accounts, page }) => {
  await accounts.button("Account menu").click();
  const menu = page.getByRole("menu");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNoViolations(page);
  }
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  await page.setViewportSize({ width: 800, height: 400 });
  for (const name of ["Clicks", "Earnings", "Import", "Account", "Stores and tags"]) {
    const item = menu.getByRole("menuitem", { name });
    await item.focus();
    await expect(item).toBeInViewport({ ratio: 1 });
  }
});

test("the account menu closes when the window becomes narrow", async ({ accounts, page }) => {
  await accounts.button("Account menu").click();
  await expect(page.getByRole("menu")).toBeVisible();
  await page.setViewportSize({ width: 360, height: 800 });
  await expect(page.getByRole("menu")).toBeHidden();
});

test.describe("small screen", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("the menu's items do not move when the name becomes known", async ({ accounts, page }) => {
    const released = Promise.withResolvers<void>();
    await page.route(/\/assets\/built-in-[\w-]{8}\.js$/, async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.reload();
    await accounts.button("Open menu").click();
    const menu = page.getByRole("dialog", { name: "Menu" });
    const logOut = menu.getByRole("button", { name: "Log out" });
    await waitForAnimations(page);
    const box = await logOut.boundingBox();
    await expect(menu.getByText("@tapthru.example")).toBeHidden();
    released.resolve();
    await expect(menu.getByText("@tapthru.example")).toBeVisible();
    expect(await logOut.boundingBox()).toEqual(box);
  });

  test("the menu has the name and the pages of the account", async ({ accounts, page }) => {
    await accounts.button("Open menu").click();
    const menu = page.getByRole("dialog", { name: "Menu" });
    await expect(menu.getByText(/^Anna /)).toBeVisible();
    await menu.getByRole("link", { name: "Stores and tags" }).click();
    await expect(page).toHaveURL("/account/stores");
    await accounts.button("Open menu").click();
    await expect(menu.getByRole("link", { name: "Stores and tags" })).toHaveAttribute("aria-current", "page");
  });
});
