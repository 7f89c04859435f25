import { expectAccessiblePage, keepToastOpen } from "./accessible-page.ts";
import { expect, newAccount, test } from "./accounts.ts";
import { expectNoViolations } from "./axe.ts";

const BUTTONS = { "/login": "Login", "/signup": "Sign up" };

for (const [path, button] of Object.entries(BUTTONS)) {
  test(`${path} is accessible, with and without validation messages`, async ({
    accounts,
    page,
  }) => {
    test.slow();
    await page.goto(path);
    await expect(accounts.button(button)).toBeVisible();
    await expectAccessiblePage(page);
    await accounts.button(button).click();
    await expect(accounts.field("Email")).toHaveAttribute("aria-invalid", "true");
    await expectAccessiblePage(page);
  });
}

test("a failed login is accessible", async ({ accounts, page }) => {
  test.slow();
  await page.goto("/login");
  await accounts.fillLogin(newAccount());
  await accounts.button("Login").click();
  await expect(accounts.toast).toHaveText("ErrorInvalid email or password.");
  await keepToastOpen(page);
  await expectAccessiblePage(page);
});

test.describe("small screen", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("after signing up the menu has the dashboard and logout", async ({ accounts, page }) => {
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
