import { expectAccessiblePage, keepToast } from "./accessible-page.ts";
import { expect, newcomer, test } from "./accounts.ts";
import { expectNoViolations } from "./axe.ts";

const BUTTONS = { "/login": "Login", "/signup": "Sign up" };

for (const [path, button] of Object.entries(BUTTONS)) {
  test(`${path} is sound, at rest and complaining`, async ({ accounts, page }) => {
    test.slow();
    await page.goto(path);
    await expect(accounts.button(button)).toBeVisible();
    await expectAccessiblePage(page);
    await accounts.button(button).click();
    await expect(accounts.field("Email")).toHaveAttribute("aria-invalid", "true");
    await expectAccessiblePage(page);
  });
}

test("a failed login is sound", async ({ accounts, page }) => {
  test.slow();
  await page.goto("/login");
  await accounts.fillLogin(newcomer());
  await accounts.button("Login").click();
  await expect(accounts.toast).toHaveText("ErrorInvalid email or password.");
  await keepToast(page);
  await expectAccessiblePage(page);
});

test.describe("on a small screen", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("a user signs up, and finds dashboard and logout in the menu", async ({
    accounts,
    page,
  }) => {
    await accounts.signUp();
    await page.goto("/");
    await accounts.button("Open menu").click();
    const menu = page.getByRole("dialog", { name: "Menu" });
    await expectNoViolations(page);
    await menu.getByRole("link", { name: "Dashboard" }).click();
    await expect(accounts.dashboard).toBeVisible();
    await accounts.button("Open menu").click();
    await menu.getByRole("button", { name: "Log out" }).click();
    await expect(page).toHaveURL("/");
    await expect(menu).toBeHidden();
  });
});
