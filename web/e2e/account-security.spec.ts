import { createHmac } from "node:crypto";
import { expect, getEmailLink, test } from "./accounts.ts";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The code that an authenticator app shows (RFC 6238). The next code is valid too. */
function codeOf(secret: string, at = Date.now()): string {
  const bits = [...secret].map((c) => BASE32.indexOf(c).toString(2).padStart(5, "0")).join("");
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const hash = createHmac("sha1", Buffer.from(bytes)).update(counter).digest();
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, "0");
}

test("a user confirms the address, turns two-factor login on, and logs in with codes", async ({ accounts, page }) => {
  const account = await accounts.signUp();
  await page.goto("/account");
  await expect(accounts.button("Confirm my address")).toBeVisible();
  await page.goto(await getEmailLink(account.email, "/confirm-email"));
  await accounts.button("Confirm email").click();
  await expect(page.getByText("Your email address is confirmed.")).toBeFocused();
  await page.goto("/account");
  await expect(page.getByRole("heading", { name: "Name and login" })).toBeVisible();
  await expect(accounts.button("Confirm my address")).toHaveCount(0);

  await page.goto("/account/security");
  await accounts.button("Turn on").click();
  await accounts.field("Current password").fill(account.password);
  await accounts.button("Continue").click();
  await expect(page.getByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
  await expect(page.getByRole("listitem").locator("code")).toHaveCount(0);
  const secret = (await page.locator("code").first().textContent()) ?? "";
  await accounts.field("Code of the app").fill("000000");
  await page.keyboard.press("Enter");
  await expect(page.getByText("The code is wrong or no longer valid.")).toBeVisible();
  await accounts.field("Code of the app").fill(codeOf(secret));
  await page.keyboard.press("Enter");
  await expect(accounts.toast).toHaveText("SuccessTwo-factor login is on.");
  const [recoveryCode = "", furtherCode = ""] = await page.getByRole("listitem").locator("code").allTextContents();
  await expect(page.locator(":focus")).toHaveText("Recovery codes");
  await accounts.button("I have saved them").click();
  await expect(page.getByText("It is on. Logging in with your password needs a code too.")).toBeVisible();
  await expect(page.locator("body")).not.toBeFocused();

  for (const code of [() => codeOf(secret, Date.now() + 30_000), () => recoveryCode]) {
    await accounts.logOut();
    await page.goto("/login");
    await accounts.fillLogin(account);
    await accounts.button("Login").click();
    await expect(accounts.field("Code")).toBeFocused();
    await page.keyboard.type("000000");
    await page.keyboard.press("Enter");
    await expect(accounts.field("Code")).toHaveAccessibleDescription("The code is wrong or no longer valid.");
    await accounts.field("Code").fill(code());
    await page.keyboard.press("Enter");
    await expect(accounts.dashboard).toBeVisible();
  }

  await page.goto("/account/security");
  await accounts.button("Turn off").click();
  await accounts.field("Current password").fill(account.password);
  await page.keyboard.press("Enter");
  await expect(accounts.field("Code")).toHaveAccessibleDescription(
    "Please enter the code of your authenticator app, or a recovery code",
  );
  await accounts.field("Code").fill("000000");
  await page.keyboard.press("Enter");
  await expect(accounts.field("Code")).toHaveAccessibleDescription("The code is wrong or no longer valid.");
  await accounts.field("Code").fill(furtherCode);
  await page.keyboard.press("Enter");
  await expect(accounts.toast).toHaveText("SuccessTwo-factor login is off.");
  await accounts.logOut();
  await accounts.logIn(account);
});

test("a user adds a passkey, logs in with it and deletes it", async ({ accounts, page }) => {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  await accounts.signUp();
  await page.goto("/account/security");
  await accounts.button("Add a passkey").click();
  await accounts.field("Name").fill("My phone");
  await page.keyboard.press("Enter");
  await expect(accounts.toast).toHaveText("SuccessYour passkey has been added.");
  await expect(page.getByRole("heading", { name: "My phone" })).toBeVisible();

  await accounts.logOut();
  await page.goto("/login");
  await accounts.button("Log in with a passkey").click();
  await expect(accounts.dashboard).toBeVisible();

  await page.goto("/account/security");
  await accounts.button("Delete My phone").click();
  await accounts.button("Delete").last().click();
  await expect(page.getByText("You have no passkeys.")).toBeVisible();
  await accounts.logOut();
  await page.goto("/login");
  await accounts.button("Log in with a passkey").click();
  await expect(accounts.toast).toHaveText("ErrorThe passkey was not accepted.");
});
