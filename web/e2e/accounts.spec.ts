import type { Page } from "@playwright/test";
import { Accounts, expect, getEmailLink, newAccount, test } from "./accounts.ts";
import { Home, PRODUCT } from "./home.ts";

const login = (page: Page) => page.getByRole("banner").getByRole("link", { name: "Login" });

async function pasteOnHome(page: Page, url: string) {
  await page.getByRole("link", { name: "Tapthru" }).click();
  // The dashboard has such a field, too.
  await expect(page).toHaveURL("/");
  await new Home(page).paste(url);
  await expect(page).toHaveURL(/\/link\/[2-9a-z]{7}$/);
}

test("a link created while signed out is still there after going back, on the dashboard after signing up, and never expires", async ({
  home,
  accounts,
  page,
}) => {
  const shortUrl = await home.createLink();
  const signUp = page.getByRole("main").getByRole("button", { name: "Sign up for free" });
  await signUp.click();
  await expect(page.getByText("The link you created in this browser will be on your dashboard.")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("region", { name: "New links" }).getByRole("link")).toHaveAttribute("href", shortUrl);
  await page.goForward();
  await accounts.fillSignUp(newAccount());
  await accounts.button("Sign up").click();
  await expect(page).toHaveURL("/dashboard");
  const shortCode = new URL(shortUrl).pathname.slice("/l/".length);
  await expect(accounts.card(shortCode)).toBeVisible();
  const { body } = await accounts.fetchApi(`/api/links/${shortCode}`);
  expect(body).toMatchObject({ originalUrl: PRODUCT, expiresAt: null });
});

// Specification 2.22
test("a link that a signed-in user creates on Home is theirs, and its page opens", async ({ accounts, page }) => {
  await accounts.signUp();
  await pasteOnHome(page, "https://www.amazon.com/dp/B0SIGNEDIN?tag=me-20");
  await expect(accounts.toast).toContainText("Link generated!");
  await page.goto("/dashboard");
  await expect(accounts.cards).toHaveCount(1);
});

test("a reload keeps the user signed in, and 'Login' does not flash", async ({ accounts, page }) => {
  await accounts.signUp();
  await page.goto("/");
  const bar = page.getByRole("banner");
  await expect(bar.getByRole("link", { name: "Dashboard" })).toBeVisible();
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    const recordFrame = () => {
      const nav = document.querySelector("header nav");
      const text = nav?.checkVisibility({ visibilityProperty: true }) && nav.textContent;
      if (text && text !== seen.at(-1)) seen.push(text);
      requestAnimationFrame(recordFrame);
    };
    recordFrame();
  });
  await page.reload();
  await bar.getByRole("link", { name: "Dashboard" }).click();
  await expect(accounts.dashboard).toBeVisible();
  // Before the scripts run, the link loads the dashboard as a new page, which has not recorded a frame yet.
  await expect
    .poll(() => page.evaluate(() => Reflect.get(globalThis, "seen")))
    .toEqual(["DashboardClicksEarningsImportAccountLog out"]);
});

test("a lost session is opened again by POST /api/login while the login lasts", async ({ accounts, page }) => {
  await accounts.signUp();
  for (const name of ["sid", "sid.sig"]) await page.context().clearCookies({ name });
  const login = page.waitForResponse((response) => response.url().endsWith("/api/login"));
  await page.reload();
  expect((await login).status()).toBe(200);
  await expect(accounts.dashboard).toBeVisible();
});

// Specification 2.25
test("the link in the reset email sets a new password", async ({ accounts, page }) => {
  const account = await accounts.signUp();
  await accounts.logOut();
  await page.goto("/login");
  await accounts.field("Email").fill(account.email);
  await accounts.button("Forgot your password?").click();
  await expect(accounts.toast).toHaveText("SuccessPassword reset email has been sent. Please check your inbox.");
  const password = "another long secret";
  await page.goto(await getEmailLink(account.email, "/reset-password"));
  await accounts.field("New password").fill(password);
  await accounts.field("Confirm new password").fill(password);
  await accounts.button("Save password").click();
  await expect(page).toHaveURL("/login");
  await accounts.fillLogin(account);
  await accounts.button("Login").click();
  await expect(page.getByRole("alert")).toHaveText("Invalid email or password.");
  await accounts.logIn({ ...account, password });
});

// Specification 2.1
test("a sign-up and a logout in one tab happen in the other, and end its session", async ({ accounts, context }) => {
  const second = new Accounts(await context.newPage());
  await second.page.goto("/");
  await expect(login(second.page)).toBeVisible();
  await accounts.signUp();
  await expect(second.page.getByRole("banner").getByRole("link", { name: "Dashboard" })).toBeVisible();
  await second.page.goto("/link-creation");
  await expect(second.page.getByRole("heading", { name: "Create New Link" })).toBeVisible();
  await accounts.logOut();
  await expect(accounts.toast).toHaveText("SuccessYou have been logged out successfully.");
  await expect(second.page).toHaveURL("/login?from=%2Flink-creation");
  await expect.poll(() => second.fetchApi("/api/links")).toMatchObject({ status: 401 });
  await accounts.page.goBack();
  await expect(accounts.page).toHaveURL("/");
});

// Specification 8.19
test("while the identity provider is unavailable the rest of the site works", async ({ page, accounts }) => {
  await page.route("**/api/auth/**", (route) => route.abort());
  const home = new Home(page);
  await home.open();
  await home.createLink();
  await page.goto("/login");
  await accounts.fillLogin(newAccount());
  await accounts.button("Login").click();
  await expect(page.getByRole("alert")).toContainText("The login service could not be reached.");
});
