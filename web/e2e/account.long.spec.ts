import { expect, getEmailLink, newAccount, test } from "./accounts.ts";
import { Links } from "./links.ts";

test("an email address changes with the link sent to it", async ({ accounts, page }) => {
  const account = await accounts.signUp();
  const email = `new.${account.email}`;
  await page.goto("/account");
  await accounts.button("Change email").click();
  await accounts.field("New email").fill(email);
  await accounts.field("Current password").fill(account.password);
  await accounts.button("Send link").click();
  await expect(page.getByRole("alert")).toContainText(`We sent a link to ${email}.`);
  await page.goto(await getEmailLink(email, "/confirm-email"));
  await accounts.button("Confirm email").click();
  await expect(page.getByText("Your email address is confirmed.")).toBeFocused();
  await accounts.logOut();
  await accounts.logIn({ ...account, email });
});

test("deleting an account ends its links, its other tab and its login", async ({ accounts, page, request }) => {
  const account = await accounts.signUp(newAccount());
  const shortCode = await new Links(page).create();
  const status = async () => (await request.get(`/l/${shortCode}`, { maxRedirects: 0 })).status();
  expect(await status()).toBe(302);
  const otherTab = await page.context().newPage();
  await otherTab.goto("/dashboard");
  await expect(otherTab.getByRole("button", { name: "Create link" })).toBeVisible();

  await page.goto("/account/data");
  await accounts.button("Delete account").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(`Type ${account.email} to confirm`).fill(account.email);
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(page).toHaveURL("/");
  await expect(otherTab).toHaveURL("/");
  await expect.poll(status).toBe(410);
  await page.goto("/login");
  await accounts.fillLogin(account);
  await accounts.button("Login").click();
  await expect(page.getByRole("alert")).toHaveText("Invalid email or password.");
});
