import { Accounts, expect, newAccount, test } from "./accounts.ts";
import { Home } from "./home.ts";

const { FIREBASE_AUTH_EMULATOR_HOST = "127.0.0.1:9099" } = process.env;
/** The requests of Firebase's client, here to its emulator. */
const PROVIDER = /\/(identitytoolkit|securetoken)\.googleapis\.com\//;

/** The latest link that the emulator sent to an email address, on the site's origin. */
async function getEmulatorLink(email: string, origin: string): Promise<string> {
  const address = `http://${FIREBASE_AUTH_EMULATOR_HOST}/emulator/v1/projects/demo-tapthru/oobCodes`;
  const { oobCodes } = await (await fetch(address)).json();
  const codes: { email: string; newEmail?: string; oobLink: string }[] = oobCodes;
  const link = codes.findLast((code) => (code.newEmail ?? code.email) === email)?.oobLink;
  const { pathname, search } = new URL(link ?? "");
  return `${origin}${pathname}${search}`;
}

test("a user signs up, resets the password and changes the email address", async ({
  accounts,
  page,
  baseURL,
}) => {
  test.slow();
  const account = await accounts.signUp();
  const { origin } = new URL(baseURL ?? "");
  await accounts.logOut();
  await page.goto("/login");
  await accounts.field("Email").fill(account.email);
  await accounts.button("Forgot your password?").click();
  await expect(accounts.toast).toContainText("Password reset email has been sent.");
  const password = "another long secret";
  await page.goto(await getEmulatorLink(account.email, origin));
  await page.getByLabel(/^New password/).fill(password);
  await page.getByRole("button", { name: "Save" }).click();
  await accounts.logIn({ ...account, password });

  const email = `new.${account.email}`;
  await page.goto("/account");
  await accounts.button("Change email").click();
  await accounts.field("New email").fill(email);
  await accounts.field("Current password").fill(password);
  await accounts.button("Send link").click();
  await expect(page.getByRole("alert")).toContainText(`We sent a link to ${email}.`);
  expect((await page.request.get(await getEmulatorLink(email, origin))).ok()).toBe(true);
  // Firebase ends the earlier login, except one of the same second.
  await accounts.logOut();
  await accounts.logIn({ ...account, email, password });
  await page.goto("/account");
  await expect(page.getByRole("main").getByText(email, { exact: true })).toBeVisible();
});

test("an email already in use is reported at its field", async ({ accounts, page }) => {
  const taken = await accounts.signUp();
  await accounts.logOut();
  await page.goto("/signup");
  await accounts.fillSignUp({ ...newAccount(), email: taken.email });
  await accounts.button("Sign up").click();
  await expect(accounts.field("Email")).toHaveAccessibleDescription(
    "This email address is already in use.",
  );
});

test("a logout ends while the browser's database does not open, and the next visit does not log in", async ({
  accounts,
  page,
  context,
}) => {
  test.slow();
  await accounts.signUp();
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
  });
  await page.goto("/");
  await accounts.button("Log out").click();
  await expect(accounts.toast).toHaveText("SuccessYou have been logged out successfully.", {
    timeout: 15_000,
  });
  await expect(page.getByRole("banner").getByRole("link", { name: "Login" })).toBeVisible();

  const next = new Accounts(await context.newPage());
  await next.page.goto("/dashboard");
  await expect(next.page).toHaveURL("/");
  await expect(next.page.getByRole("banner").getByRole("link", { name: "Login" })).toBeVisible();
  expect(await next.fetchApi("/api/links")).toMatchObject({ status: 401 });
});

test("a user whose identity provider does not respond creates links, and stays signed in", async ({
  accounts,
  page,
}) => {
  // Each page waits ten seconds for the provider.
  test.slow();
  await accounts.signUp();
  await page.route(PROVIDER, () => {});
  const home = new Home(page);
  await home.open();
  await home.createLink();
  await page.goto("/dashboard");
  const unreachable = page.getByRole("heading", { name: "We can't reach your account right now" });
  await expect(unreachable).toBeVisible();
  await page.unroute(PROVIDER);
  await expect(accounts.cards).toHaveCount(1);
});

test("a user whose IndexedDB does not open creates links", async ({ accounts, page }) => {
  await accounts.signUp();
  await page.addInitScript(() => {
    // A request that never ends, as in browsers whose storage is damaged.
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
  });
  const home = new Home(page);
  await home.open();
  await home.createLink();
});
