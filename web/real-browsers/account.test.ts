import { test } from "vitest";
import { DASHBOARD, fillLogin, signUp } from "./accounts.ts";
import { expectNoViolations } from "./axe.ts";
import { button, field, link } from "./elements.ts";
import { DEVICES, inEachEngine } from "./engines.ts";
import { OFFLINE } from "./network.ts";

inEachEngine((engine) => {
  test.for(DEVICES)(
    "a user signs up, stays logged in after a reload, logs out and logs in again, on $device",
    async ({ phone }) => {
      const page = await engine.open(phone);
      const account = await signUp(page);
      await expectNoViolations(page);
      await page.reload();
      await page.find(DASHBOARD);

      await page.clickInTopBar(button("Log out"));
      await page.expectUrl("/");
      await page.expectText("You have been logged out successfully.");
      await page.open("/dashboard");
      await page.expectUrl("/");
      await page.clickInTopBar(link("Login"));

      await fillLogin(page, { ...account, password: "another secret" });
      await page.expectText("Invalid email or password.");
      await page.expectFocus(field("Password"));
      await expectNoViolations(page);
      await fillLogin(page, account);
      await page.find(DASHBOARD);
    },
  );

  test("the login and sign-up forms mark invalid fields", async () => {
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

  test("a login sent offline keeps the input, shows the reason, and succeeds once online", async () => {
    const page = await engine.open();
    const account = await signUp(page);
    await page.click(button("Log out"));
    await page.expectUrl("/");
    await page.open("/login");
    await page.find(field("Email"));
    page.network.blockedPaths = OFFLINE;
    await fillLogin(page, account);
    await page.expectText("The login service could not be reached.");
    await page.expectValue(field("Email"), account.email);
    await page.expectValue(field("Password"), account.password);
    await expectNoViolations(page);
    page.network.blockedPaths = null;
    await page.click(button("Login"));
    await page.find(DASHBOARD);
  });
});
