import { test } from "vitest";
import { DASHBOARD, fillLogin, signUp } from "./accounts.ts";
import { expectNoViolations } from "./axe.ts";
import { button, field, link } from "./elements.ts";
import { inEachEngine } from "./engines.ts";

inEachEngine((engine) => {
  test("a user signs up, stays logged in after a reload, logs out and logs in again", async () => {
    const page = await engine.open();
    const account = await signUp(page);
    await expectNoViolations(page);
    await page.reload();
    await page.find(DASHBOARD);

    await page.click(button("Log out"));
    await page.expectUrl("/");
    await page.expectText("You have been logged out successfully.");
    await page.find(link("Login"));
    await page.open("/dashboard");
    await page.expectUrl("/");
    await page.click(link("Login"));

    await fillLogin(page, { ...account, password: "another secret" });
    await page.expectText("Invalid email or password.");
    await page.expectFocus(field("Password"));
    await expectNoViolations(page);
    await fillLogin(page, account);
    await page.find(DASHBOARD);
  });

  test("forms of accounts name what is invalid", async () => {
    const page = await engine.open();
    for (const [path, name] of [
      ["/login", "Login"],
      ["/signup", "Sign up"],
    ] as const) {
      await page.open(path);
      await page.click(button(name, "//main"));
      await page.find('//input[@aria-invalid="true"]');
      await expectNoViolations(page);
    }
  });
});
