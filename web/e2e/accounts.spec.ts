import { Accounts, expect, getEmailLink, newAccount, test } from "./accounts.ts";
import { Home, PRODUCT } from "./home.ts";

const SUCCESS = "Your account has been created successfully.";
const shortCodeOf = (shortUrl: string) => new URL(shortUrl).pathname.slice("/l/".length);

test.describe("link created while signed out", () => {
  test("appears on the dashboard after signing up, and never expires", async ({ home, accounts, page }) => {
    const shortCode = shortCodeOf(await home.createLink());
    await page.getByRole("main").getByRole("button", { name: "Sign up for free" }).click();
    await expect(page.getByText("The link you created in this browser will be on your dashboard.")).toBeVisible();
    await accounts.fillSignUp(newAccount());
    await accounts.button("Sign up").click();

    await expect(accounts.toast).toHaveText(SUCCESS);
    await expect(page).toHaveURL("/dashboard");
    await expect(accounts.cards).toHaveCount(1);
    await expect(accounts.card(shortCode)).toBeVisible();
    const { body } = await accounts.fetchApi(`/api/links/${shortCode}`);
    expect(body).toMatchObject({ originalUrl: PRODUCT, expiresAt: null });
    expect(await page.evaluate(() => sessionStorage.getItem("pendingLink"))).toBeNull();
  });

  test("appears on the dashboard after logging in from the top bar", async ({ accounts, page }) => {
    const account = await accounts.signUp();
    await accounts.logOut();
    const home = new Home(page);
    const shortCode = shortCodeOf(await home.createLink());
    await page.getByRole("banner").getByRole("link", { name: "Login" }).click();
    await accounts.fillLogin(account);
    await accounts.button("Login").click();
    await expect(accounts.toast).toHaveText("SuccessLogged in successfully");
    await expect(accounts.card(shortCode)).toBeVisible();
  });
});

// Specification 2.22
test("a link that a signed-in user creates on Home is theirs, and its page opens", async ({ accounts, page }) => {
  await accounts.signUp();
  await page.getByRole("link", { name: "Tapthru" }).click();
  const home = new Home(page);
  await home.paste("https://www.amazon.com/dp/B0SIGNEDIN?tag=me-20");
  await expect(page).toHaveURL(/\/link\/[2-9a-z]{7}$/);
  await expect(accounts.toast).toContainText("Link generated!");
  await page.goto("/dashboard");
  await expect(accounts.cards).toHaveCount(1);
});

// Specification 2.1
test("logging out opens Home and ends the session", async ({ accounts, page }) => {
  await accounts.signUp();
  await accounts.logOut();
  await expect(accounts.toast).toHaveText("SuccessYou have been logged out successfully.");
  await expect(page.getByRole("banner").getByRole("link", { name: "Login" })).toBeVisible();
  expect(await accounts.fetchApi("/api/links")).toMatchObject({ status: 401 });
  await page.goBack();
  await expect(page).toHaveURL("/");
  await expect(accounts.dashboard).toHaveCount(0);
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
    .toEqual(["DashboardClicksEarningsImportLog outAccount"]);
});

// Specification 2.25
test("the link in the reset email sets a new password", async ({ accounts, page }) => {
  const account = await accounts.signUp();
  await accounts.logOut();
  await page.goto("/login");
  await accounts.button("Forgot your password?").click();
  await expect(accounts.toast).toHaveText("ErrorPlease enter your email address first.");

  await accounts.field("Email").fill(account.email);
  await accounts.button("Forgot your password?").click();
  await expect(accounts.toast).toHaveText("SuccessPassword reset email has been sent. Please check your inbox.");

  const password = "another long secret";
  await page.goto(await getEmailLink(account.email, "/reset-password"));
  await accounts.field("New password").fill(password);
  await accounts.field("Confirm new password").fill(password);
  await accounts.button("Save password").click();
  await expect(accounts.toast).toContainText("You can log in with it now.");
  await expect(page).toHaveURL("/login");
  await accounts.fillLogin(account);
  await accounts.button("Login").click();
  await expect(accounts.toast).toHaveText("ErrorInvalid email or password.");
  await expect(accounts.field("Password")).toBeFocused();
  await accounts.logIn({ ...account, password });
});

test("a signed-out visitor is redirected from a page to the login, and back after it", async ({
  accounts,
  page,
  browser,
}) => {
  const path = "/link-creation";
  const other = await browser.newContext();
  const account = await new Accounts(await other.newPage()).signUp();
  await other.close();

  await page.goto("/privacy");
  await page.goto(path);
  await expect(page).toHaveURL("/login");
  await accounts.fillLogin(account);
  await accounts.button("Login").click();
  await expect(page).toHaveURL(path);
  await page.goBack();
  await expect(page).toHaveURL("/privacy");
});

test("two users see only their own links", async ({ accounts, page, browser }) => {
  await accounts.signUp();
  const other = await browser.newContext();
  const others = new Accounts(await other.newPage());
  await others.signUp();

  await page.getByRole("link", { name: "Tapthru" }).click();
  const home = new Home(page);
  await home.paste("https://www.amazon.com/dp/B0TWOUSERS?tag=me-20");
  await expect(page).toHaveURL(/\/link\//);
  const path = new URL(page.url()).pathname;
  await others.page.goto(path);
  await expect(others.page.getByText("Error loading link details.")).toBeVisible();
  await others.page.goto("/dashboard");
  await expect(others.page.getByText("You haven't created any links yet.")).toBeVisible();
  await others.logOut();
  await page.reload();
  await expect(page).toHaveURL(path);
  await other.close();
});

test.describe("two tabs", () => {
  test("a sign-up in one tab keeps its username and signs in the other tab", async ({ accounts, context }) => {
    const second = await context.newPage();
    await second.goto("/");
    await expect(second.getByRole("banner").getByRole("link", { name: "Login" })).toBeVisible();
    const account = await accounts.signUp();
    await expect(second.getByRole("banner").getByRole("link", { name: "Dashboard" })).toBeVisible();
    const { body } = await accounts.fetchApi("/api/session");
    expect(body.login.user).toMatchObject({ username: account.username, email: account.email });
  });

  test("a logout in one tab ends the session of the other", async ({ accounts, context }) => {
    await accounts.signUp();
    const second = new Accounts(await context.newPage());
    await second.page.goto("/link-creation");
    await expect(second.page.getByRole("heading", { name: "Create New Link" })).toBeVisible();
    await accounts.logOut();
    await expect(second.page).toHaveURL("/login");
    await expect.poll(() => second.fetchApi("/api/links")).toMatchObject({ status: 401 });
  });
});

test("a session that the backend lost is restored without the user noticing", async ({ accounts, page, context }) => {
  await accounts.signUp();
  await page.getByRole("link", { name: "Tapthru" }).click();
  await new Home(page).paste("https://www.amazon.com/dp/B0COMEBACK?tag=me-20");
  await expect(page).toHaveURL(/\/link\//);
  const calls: string[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith("/api/")) calls.push(`${pathname} ${response.status()}`);
  });
  await context.clearCookies({ name: /sid/ });
  await accounts.button("< Back to List").click();
  await expect(accounts.cards).toHaveCount(1);
  // How many requests are refused at the same time depends on when each is sent.
  expect(calls.some((call) => call.endsWith(" 401"))).toBe(true);
  expect(calls.filter((call) => call.startsWith("/api/auth/"))).toEqual(["/api/auth/session 200"]);
});

test("a sign-up whose response is lost succeeds, with the account that it created", async ({ accounts, page }) => {
  let attempts = 0;
  await page.route("/api/auth/sign-up", async (route) => {
    attempts += 1;
    await route.fetch();
    return route.abort();
  });
  await accounts.signUp();
  await expect(accounts.toast).toHaveText(SUCCESS);
  expect(attempts).toBe(1);
});

// Specification 8.19
test("while the identity provider is unavailable the rest of the site works", async ({ page, accounts }) => {
  await page.route("**/api/auth/**", (route) => route.abort());
  const home = new Home(page);
  await home.open();
  await home.createLink();
  await page.goto("/dashboard");
  await expect(page).toHaveURL("/");
  await page.goto("/login");
  await accounts.fillLogin(newAccount());
  await accounts.button("Login").click();
  await expect(page.getByRole("alert")).toContainText("The login service could not be reached.");
});

test.describe("keyboard only", () => {
  test("a user signs up, logs out and logs in", async ({ accounts, page }) => {
    const account = newAccount();
    await page.goto("/signup");
    await accounts.field("Username").focus();
    const { keyboard } = page;
    await keyboard.type(account.username);
    await keyboard.press("Tab");
    await keyboard.type(account.email);
    await keyboard.press("Tab");
    await keyboard.type(account.password);
    await keyboard.press("Tab");
    await keyboard.press("Space");
    await expect(accounts.field("Password")).toHaveAttribute("type", "text");
    await keyboard.press("Space");
    await keyboard.press("Tab");
    await keyboard.type(account.password);
    await keyboard.press("Enter");
    await expect(accounts.dashboard).toBeVisible();

    await accounts.button("Log out").focus();
    await keyboard.press("Enter");
    await expect(page).toHaveURL("/");
    // Content gets the focus when the session ends, and again on the next page.
    await expect(new Home(page).field).toBeVisible();
    await expect(page.getByRole("main")).toBeFocused();
    await page.getByRole("banner").getByRole("link", { name: "Login" }).press("Enter");
    await accounts.field("Email").focus();
    await keyboard.type(account.email);
    await keyboard.press("Tab");
    await keyboard.type(account.password);
    for (const name of ["Show password", "Forgot your password?", "Login"]) {
      await keyboard.press("Tab");
      await expect(accounts.button(name)).toBeFocused();
    }
    await keyboard.press("Enter");
    await expect(accounts.dashboard).toBeVisible();
  });
});
