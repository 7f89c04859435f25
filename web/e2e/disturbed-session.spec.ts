import { expect, SESSION_CHUNK, test } from "./accounts.ts";
import { Home } from "./home.ts";

/** The requests of Firebase's client, here to its emulator. */
const PROVIDER = /\/(identitytoolkit|securetoken)\.googleapis\.com\//;

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

test("a user stays signed in although the script of the session fails once", async ({
  accounts,
  page,
}) => {
  await accounts.signUp();
  await page.route(SESSION_CHUNK, (route) => route.abort(), { times: 1 });
  const failed = page.waitForEvent("requestfailed", (request) => SESSION_CHUNK.test(request.url()));
  await page.goto("/dashboard");
  await failed;
  await expect(accounts.button("Create link")).toBeVisible();
  await expect(page).toHaveURL("/dashboard");
  await page.reload();
  await expect(accounts.dashboard).toBeVisible();
});
