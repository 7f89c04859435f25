import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, newAccount, test } from "./accounts.ts";

const INVALID = "/api/digest/unsubscribe?token=00000000-0000-4000-8000-000000000000";

test("the weekly email is switched off by keyboard and stays off, and the address can be confirmed", async ({
  accounts,
  page,
}) => {
  test.slow();
  const short = newAccount();
  const email = `a-long-address-of-a-user-${short.email}`;
  await accounts.signUp({ ...short, email });
  await page.goto("/account/notifications");
  const toggle = page.getByRole("checkbox", { name: "Send me the weekly email" });
  await expect(toggle).toBeChecked();
  await expect(page.getByText(`We do not know yet that ${email} is yours.`)).toBeVisible();
  await expectAccessiblePage(page);
  await accounts.button("Confirm my address").press("Enter");
  await expect(page.getByText(`We sent a link to ${email}.`)).toBeVisible();
  await expectAccessiblePage(page);
  await toggle.press("Space");
  await expect(page.getByText("You will not get the weekly email any more.")).toBeAttached();
  await page.reload();
  await expect(toggle).not.toBeChecked();
});

test("the page that ends the emails, and the one for an invalid link, are accessible", async ({ page }) => {
  test.slow();
  await page.goto(INVALID);
  await expect(page.getByRole("heading")).toHaveText("Stop the weekly email?");
  await expectAccessiblePage(page);
  await page.getByRole("button", { name: "Stop these emails" }).click();
  await expect(page.getByRole("heading")).toHaveText("This link is not valid");
  await expectAccessiblePage(page);
});

test("the page that ends the emails works without scripts and says that a link is invalid", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(INVALID);
  await expect(page.getByRole("heading")).toHaveText("Stop the weekly email?");
  await page.getByRole("button", { name: "Stop these emails" }).click();
  await expect(page.getByRole("heading")).toHaveText("This link is not valid");
  await expect(page.getByRole("link", { name: "Your account" })).toBeVisible();
  await context.close();
});
