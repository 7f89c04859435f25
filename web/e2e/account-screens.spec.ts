import { expect, newcomer, test } from "./accounts.ts";
import { expectNoViolations } from "./axe.ts";

const BUTTONS = { "/login": "Login", "/signup": "Sign up" };

for (const width of [360, 1280]) {
  for (const colorScheme of ["light", "dark"] as const) {
    test.describe(`${width} px, ${colorScheme}`, () => {
      test.use({ viewport: { width, height: 800 }, colorScheme });

      for (const [path, button] of Object.entries(BUTTONS)) {
        test(`${path} fits, at rest and complaining, and axe finds nothing`, async ({
          accounts,
          page,
        }) => {
          await page.goto(path);
          await expect(accounts.button(button)).toBeVisible();
          await expectNoViolations(page);
          await accounts.button(button).click();
          await expect(accounts.field("Email")).toHaveAttribute("aria-invalid", "true");
          await expectNoViolations(page);
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - window.innerWidth,
          );
          expect(overflow).toBeLessThanOrEqual(0);
        });
      }
    });
  }
}

test("axe finds nothing in a failed login", async ({ accounts, page }) => {
  await page.goto("/login");
  await accounts.fillLogin(newcomer());
  await accounts.button("Login").click();
  await expect(accounts.toast).toHaveText("ErrorInvalid email or password.");
  await expectNoViolations(page);
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
