import { expectAccessiblePage, keepToastOpen } from "./accessible-page.ts";
import { expect, newAccount, test } from "./accounts.ts";
import { expectNoViolations } from "./axe.ts";
import { changeConfig } from "./change-config.ts";

const BUTTONS = { "/login": "Login", "/signup": "Sign up" };

for (const [path, button] of Object.entries(BUTTONS)) {
  test(`${path} is accessible, with and without validation messages`, async ({ accounts, page }) => {
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

const NOW = "2026-11-26T12:00:00.000Z";
const INVITATION = "https://tapthru.example/signup?invitation=0123456789abcdef0123456789abcdef";
const LOGIN_SETTINGS = {
  provider: "built-in",
  signUp: "invitation",
  sendsEmail: false,
  openIdConnect: { issuer: "https://id.example", name: "Example Corp" },
  openIdCallbackUrl: "https://tapthru.example/api/auth/callback/oidc",
};
const OPEN_ID = { openIdConnect: { name: "Example Corp", iconUrl: null } };

for (const [name, path, changes] of [
  ["a login that failed at an OpenID provider", "/login?login_error=failed", OPEN_ID],
  ["a sign-up with an OpenID provider", "/signup", OPEN_ID],
  ["a sign-up by invitation only", "/signup", { signUp: "invitation" }],
] as const) {
  test(`${name} is accessible`, async ({ page }) => {
    test.slow();
    await changeConfig(page, changes);
    await page.goto(path);
    await expect(page.getByRole("alert").or(page.getByText("Continue with")).first()).toBeVisible();
    await expectAccessiblePage(page);
  });
}

test("the pages of emailed links are accessible when the link has expired", async ({ accounts, page }) => {
  test.slow();
  await page.goto("/reset-password#token=expired");
  await accounts.field("New password").fill("a long secret");
  await accounts.field("Confirm new password").fill("a long secret");
  await accounts.button("Save password").click();
  await expect(page.getByRole("alert")).toContainText("This link has expired");
  await expectAccessiblePage(page);
  await page.goto("/confirm-email#token=expired");
  await accounts.button("Confirm email").click();
  await expect(page.getByRole("alert")).toContainText("This link has expired");
  await expectAccessiblePage(page);
});

test("two-factor login and passkeys are accessible", async ({ accounts, page }) => {
  test.slow();
  const account = await accounts.signUp(newAccount());
  await page.goto("/account/security");
  await accounts.button("Add a passkey").click();
  await accounts.button("Turn on").click();
  await accounts.field("Current password").fill(account.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
  await expectAccessiblePage(page);
});

test("the second step of a login is accessible", async ({ accounts, page }) => {
  test.slow();
  await page.route("/api/auth/sign-in", (route) => route.fulfill({ json: { login: null } }));
  await page.goto("/login");
  await accounts.fillLogin(newAccount());
  await accounts.button("Login").click();
  await expect(accounts.field("Code")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(accounts.field("Code")).toHaveAttribute("aria-invalid", "true");
  await expectAccessiblePage(page);
});

test("the page of operators is accessible", async ({ accounts, page }) => {
  test.slow();
  await accounts.signUp(newAccount());
  const invitation = { id: 1, email: null, createdAt: NOW, expiresAt: NOW };
  await page.route("/api/session", async (route) => {
    const response = await route.fetch();
    const { login } = await response.json();
    const user = { ...login.user, isOperator: true };
    await route.fulfill({ response, json: { login: { ...login, user } } });
  });
  await page.route("/api/operator/login", (route) => route.fulfill({ json: LOGIN_SETTINGS }));
  await page.route("/api/operator/invitations", (route) =>
    route.request().method() === "GET"
      ? route.fulfill({ json: [invitation] })
      : route.fulfill({ status: 201, json: { ...invitation, url: INVITATION, isSent: false } }),
  );
  await page.goto("/operator/sign-up");
  await accounts.button("Invite a user").click();
  await accounts.button("Create invitation").click();
  await expect(page.getByText(INVITATION)).toBeVisible();
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
