import { Accounts, expect, newcomer, resetLink, test } from "./accounts.ts";
import { Home, PRODUCT } from "./home.ts";

const SUCCESS = "Your account has been created successfully.";
const shortCodeOf = (shortUrl: string) => new URL(shortUrl).pathname.slice("/l/".length);

test.describe("a link made while signed out", () => {
  test("is on the dashboard after signing up, and never expires", async ({
    home,
    accounts,
    page,
  }) => {
    const shortCode = shortCodeOf(await home.makeLink());
    await page.getByRole("main").getByRole("button", { name: "Sign up for free" }).click();
    await expect(page.getByText("The link you just made will be on your dashboard.")).toBeVisible();
    await accounts.fillSignUp(newcomer());
    await accounts.button("Sign up").click();

    await expect(accounts.toast).toHaveText(SUCCESS);
    await expect(page).toHaveURL("/dashboard");
    await expect(accounts.cards).toHaveCount(1);
    await expect(accounts.card(shortCode)).toBeVisible();
    const { body } = await accounts.askApi(`/api/links/${shortCode}`);
    expect(body).toMatchObject({ originalUrl: PRODUCT, expiresAt: null });
    expect(await page.evaluate(() => sessionStorage.getItem("pendingLink"))).toBeNull();
  });

  test("is on the dashboard after logging in by the top bar", async ({ accounts, page }) => {
    const account = await accounts.signUp();
    await accounts.logOut();
    const home = new Home(page);
    const shortCode = shortCodeOf(await home.makeLink());
    await page.getByRole("banner").getByRole("link", { name: "Login" }).click();
    await accounts.fillLogin(account);
    await accounts.button("Login").click();
    await expect(accounts.toast).toHaveText("SuccessLogged in successfully");
    await expect(accounts.card(shortCode)).toBeVisible();
  });
});

// Specification 2.22
test("a signed-in user's link on Home is theirs, and leads to its page", async ({
  accounts,
  page,
}) => {
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
test("logging out ends on the start page, and nothing of the user is left", async ({
  accounts,
  page,
}) => {
  await accounts.signUp();
  await accounts.logOut();
  await expect(accounts.toast).toHaveText("SuccessYou have been logged out successfully.");
  await expect(page.getByRole("banner").getByRole("link", { name: "Login" })).toBeVisible();
  expect(await accounts.askApi("/api/links")).toMatchObject({ status: 401 });
  await page.goBack();
  await expect(page).toHaveURL("/");
  await expect(accounts.dashboard).toHaveCount(0);
});

test("a sign-in outlives a reload, without a flash of 'Login'", async ({ accounts, page }) => {
  await accounts.signUp();
  await page.goto("/");
  const bar = page.getByRole("banner");
  await expect(bar.getByRole("link", { name: "Dashboard" })).toBeVisible();
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      const nav = document.querySelector("header nav")?.textContent;
      if (nav && nav !== seen.at(-1)) seen.push(nav);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await bar.getByRole("link", { name: "Dashboard" }).click();
  await expect(accounts.dashboard).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(globalThis, "seen"))).toEqual(["DashboardLog out"]);
});

// Specification 2.25
test("a forgotten password is set anew by the link in the mail", async ({
  accounts,
  page,
  baseURL,
}) => {
  const account = await accounts.signUp();
  await accounts.logOut();
  await page.goto("/login");
  await accounts.button("Forgot your password?").click();
  await expect(accounts.toast).toHaveText("ErrorPlease enter your email address first.");

  await accounts.field("Email").fill(account.email);
  await accounts.button("Forgot your password?").click();
  await expect(accounts.toast).toHaveText(
    "SuccessPassword reset email has been sent. Please check your inbox.",
  );

  const password = "another long secret";
  await page.goto(await resetLink(account.email, baseURL ?? ""));
  await page.getByLabel(/^New password/).fill(password);
  await page.getByRole("button", { name: "Save" }).click();
  await page.goto("/login");
  await accounts.fillLogin(account);
  await accounts.button("Login").click();
  await expect(accounts.toast).toHaveText("ErrorInvalid email or password.");
  await expect(accounts.field("Password")).toBeFocused();
  await accounts.logIn({ ...account, password });
});

test("a reset for an e-mail that nobody has looks the same", async ({ accounts, page }) => {
  await page.goto("/login");
  await accounts.field("Email").fill(newcomer().email);
  await accounts.button("Forgot your password?").click();
  await expect(accounts.toast).toContainText("Password reset email has been sent.");
});

test.describe("the signed-out", () => {
  test("are sent from the dashboard home", async ({ page }) => {
    await page.goto("/dashboard");
    await expect(page).toHaveURL("/");
  });

  for (const path of ["/link-creation", "/link/abcdefg"]) {
    test(`are sent from ${path} to log in, and then back`, async ({ accounts, page, browser }) => {
      const other = await browser.newContext();
      const account = await new Accounts(await other.newPage()).signUp();
      await other.close();

      await page.goto(path);
      await expect(page).toHaveURL("/login");
      await accounts.fillLogin(account);
      await accounts.button("Login").click();
      await expect(page).toHaveURL(path);
      await page.goBack();
      await expect(page).not.toHaveURL("/login");
    });
  }
});

test("whoever opens the login or the sign-up signed in goes to the dashboard", async ({
  accounts,
  page,
}) => {
  await accounts.signUp();
  for (const path of ["/login", "/signup"]) {
    await page.goto(path);
    await expect(page).toHaveURL("/dashboard");
  }
});

test("two people at once see each their own", async ({ accounts, page, browser }) => {
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
  test("a sign-up in one keeps its name, and signs the other in", async ({
    accounts,
    page,
    context,
  }) => {
    const second = await context.newPage();
    await second.goto("/");
    await expect(second.getByRole("banner").getByRole("link", { name: "Login" })).toBeVisible();
    const account = await accounts.signUp();
    await expect(second.getByRole("banner").getByRole("link", { name: "Dashboard" })).toBeVisible();
    const uid = await page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const opening = indexedDB.open("firebaseLocalStorageDb");
          opening.onsuccess = () => {
            const rows = opening.result
              .transaction("firebaseLocalStorage")
              .objectStore("firebaseLocalStorage")
              .getAll();
            rows.onsuccess = () => resolve(rows.result[0].value.uid);
          };
        }),
    );
    const { body } = await accounts.askApi(`/api/users/${uid}`);
    expect(body).toMatchObject({ username: account.username, email: account.email });
  });

  test("a logout in one ends the other's session too", async ({ accounts, context }) => {
    await accounts.signUp();
    const second = new Accounts(await context.newPage());
    await second.page.goto("/link-creation");
    await expect(second.page.getByRole("heading", { name: "Create New Link" })).toBeVisible();
    await accounts.logOut();
    await expect(second.page).toHaveURL("/login");
    await expect.poll(() => second.askApi("/api/links")).toMatchObject({ status: 401 });
  });
});

test("a session that the backend lost comes back unnoticed", async ({
  accounts,
  page,
  context,
}) => {
  await accounts.signUp();
  await page.getByRole("link", { name: "Tapthru" }).click();
  await new Home(page).paste("https://www.amazon.com/dp/B0COMEBACK?tag=me-20");
  await expect(page).toHaveURL(/\/link\//);
  const statuses: number[] = [];
  page.on("response", (reply) => {
    if (reply.url().includes("/api/links")) statuses.push(reply.status());
  });
  await context.clearCookies();
  await accounts.button("< Back to List").click();
  await expect(accounts.cards).toHaveCount(1);
  // The link's own page may have had an answer under way.
  expect(statuses.filter((status) => status === 401)).toHaveLength(1);
});

test.describe("a sign-up", () => {
  test("with a name or an e-mail that is taken says so at the field, and can be mended", async ({
    accounts,
    page,
  }) => {
    const taken = await accounts.signUp();
    await accounts.logOut();
    await page.goto("/signup");
    const account = newcomer();
    await accounts.fillSignUp({ ...account, username: taken.username });
    await accounts.button("Sign up").click();
    await expect(accounts.toast).toHaveText("ErrorFailed to create account. Please try again.");
    await expect(accounts.field("Username")).toHaveAccessibleDescription(
      "This username is already taken.",
    );
    await expect(accounts.field("Username")).toBeFocused();

    await accounts.fillSignUp({ ...account, email: taken.email });
    await accounts.button("Sign up").click();
    await expect(accounts.field("Email")).toHaveAccessibleDescription(
      "This email address is already in use.",
    );

    await accounts.fillSignUp(account);
    await accounts.field("Confirm password").press("Enter");
    await expect(page).toHaveURL("/dashboard");
  });

  test("whose answer is lost succeeds all the same", async ({ accounts, page }) => {
    let asked = 0;
    await page.route("/api/users", async (route) => {
      asked += 1;
      await route.fetch();
      return asked === 1 ? route.abort() : route.fallback();
    });
    await accounts.signUp();
    await expect(accounts.toast).toHaveText(SUCCESS);
    expect(asked).toBe(2);
  });

  test("with the backend away is healed by the next visit", async ({ accounts, page }) => {
    await page.route("/api/users", (route) => route.fulfill({ status: 503, body: "Away." }));
    await page.goto("/signup");
    const account = newcomer();
    await accounts.fillSignUp(account);
    await accounts.button("Sign up").click();
    await expect(accounts.toast).toHaveText("ErrorFailed to create account. Please try again.");
    await expect(page).toHaveURL("/signup");

    await page.unroute("/api/users");
    await page.reload();
    await expect(page).toHaveURL("/dashboard");
    await expect(accounts.dashboard).toBeVisible();
  });
});

// Specification 8.19
test("without an identity provider the rest of the site works", async ({ page, accounts }) => {
  await page.route("/config.json", async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: { ...(await reply.json()), firebase: null } });
  });
  const home = new Home(page);
  await home.open();
  await home.makeLink();
  await page.goto("/dashboard");
  await expect(page).toHaveURL("/");
  await page.goto("/login");
  await expect(accounts.button("Login")).toBeVisible();
});

test.describe("by keyboard alone", () => {
  test("one signs up, logs out and logs in", async ({ accounts, page }) => {
    const account = newcomer();
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
    await page.getByRole("banner").getByRole("link", { name: "Login" }).focus();
    await keyboard.press("Enter");
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
