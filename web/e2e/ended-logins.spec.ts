import type { BrowserContext, Page } from "@playwright/test";
import { Accounts, expect, test } from "./accounts.ts";
import { confirmEmail, runSql } from "./database.ts";
import { Home } from "./home.ts";
import { Links } from "./links.ts";
import type { Account } from "./new-account.ts";
import { newProduct as taggedProduct } from "./product.ts";

const TAG = "anna-20";
let account: Account;
const origin = (page: Page) => ({ Origin: new URL(page.url()).origin });

/** How a login ends while a page is open. */
const ENDS: Record<string, (context: BrowserContext, page: Page) => Promise<unknown>> = {
  "its cookies are gone": (context) => context.clearCookies(),
  "it was ended elsewhere": async (context, page) => {
    const state = await context.storageState();
    const elsewhere = await context.browser()?.newContext({ storageState: state, ignoreHTTPSErrors: true });
    const reply = await elsewhere?.request.delete(new URL("/api/sessions", page.url()).href, { headers: origin(page) });
    expect(reply?.status()).toBe(200);
    await elsewhere?.close();
  },
  "it has expired": async (context) => {
    await runSql(
      `UPDATE identity.session SET "expiresAt" = now() - interval '1 second' FROM identity."user"
       WHERE "user".id = "userId" AND address = $1`,
      [account.email.toLowerCase()],
    );
    for (const name of ["sid", "sid.sig"]) await context.clearCookies({ name });
  },
};

const ENDED = "You were logged out. Log in to continue.";
const dialog = (page: Page) => page.getByRole("dialog", { name: "Your login has ended" });

async function logInAgain(page: Page) {
  await dialog(page).getByLabel("Email", { exact: true }).fill(account.email);
  await dialog(page).getByLabel("Password", { exact: true }).fill(account.password);
  await dialog(page).getByRole("button", { name: "Login" }).click();
  await expect(dialog(page)).toBeHidden();
}

/** The user's links with the tag, by their products. */
async function linksOf(page: Page): Promise<string[]> {
  const { body } = await new Accounts(page).fetchApi("/api/links?limit=100");
  return body.map(({ originalUrl }: { originalUrl: string }) => originalUrl);
}

const paste = (page: Page, text: string) => new Home(page).paste(text);
const PLACES: Record<string, (page: Page, url: string) => Promise<void>> = {
  "/": paste,
  "/link-creation": async (page, url) => {
    await new Links(page).field.fill(url);
    await new Links(page).field.press("Enter");
  },
  "/dashboard": async (page, url) => {
    await page.getByRole("main").getByRole("textbox", { name: "Amazon product or store link" }).fill(url);
    await page.keyboard.press("Enter");
  },
};

function newProduct() {
  const { asin } = taggedProduct();
  return { asin, url: `https://www.amazon.com/dp/${asin}` };
}

/** The server says whose the link is. */
async function addAndLogIn(page: Page, add: (page: Page, url: string) => Promise<void>) {
  const { asin, url } = newProduct();
  await add(page, url);
  await logInAgain(page);
  await expect.poll(() => linksOf(page)).toContainEqual(expect.stringMatching(`${asin}.*tag=${TAG}`));
}

test.beforeEach(async ({ accounts, page }) => {
  account = await accounts.signUp();
  await confirmEmail(account.email);
  const [{ id }] = (await accounts.fetchApi("/api/channels")).body;
  const data = { marketplace: "com", tag: TAG };
  const saved = await page.request.put(`/api/channels/${id}/tags`, { data, headers: origin(page) });
  expect(saved.ok()).toBe(true);
});

for (const [way, end] of Object.entries(ENDS)) {
  for (const [path, add] of Object.entries(PLACES)) {
    test(`a link added on ${path} after ${way}, and after the page said so, is the user's, with their tag, after the next login`, async ({
      context,
      page,
    }) => {
      const { promise: hasEnded, resolve } = Promise.withResolvers<void>();
      const requested = page.waitForRequest("/api/channels");
      await page.route("/api/channels", async (route) => {
        await hasEnded;
        await route.continue();
      });
      await page.goto(path);
      await requested;
      await end(context, page);
      resolve();
      await expect(page.getByText(ENDED)).toBeVisible();
      await addAndLogIn(page, add);
    });
  }

  test(`if ${way}, a new name is saved after the next login`, async ({ context, page }) => {
    const links = new Links(page);
    await page.goto(`/link/${await links.create()}`);
    await page.getByRole("button", { name: "Edit name" }).click();
    await end(context, page);
    await page.getByRole("textbox", { name: "Name (only you see it)" }).fill("For the kitchen");
    await page.keyboard.press("Enter");
    // The name is shown before it is saved.
    const saved = page.waitForResponse((response) => response.request().method() === "PATCH" && response.ok());
    await logInAgain(page);
    await saved;
    await page.reload();
    await expect(links.name).toHaveText("For the kitchen");
  });
}

test("a link added after a reload is the user's, with their tag, after the next login", async ({ context, page }) => {
  await ENDS["it was ended elsewhere"]?.(context, page);
  await page.goto("/dashboard");
  await expect(page).toHaveURL("/");
  await expect(page.getByText(ENDED)).toBeVisible();
  await addAndLogIn(page, paste);
});

test("a list of 20 continues where its login ended, and all links are the user's with their tag", async ({
  context,
  page,
}) => {
  await page.goto("/dashboard");
  const products = Array.from({ length: 20 }, newProduct);
  let requests = 0;
  await page.route("/api/generate", async (route) => {
    requests += 1;
    if (requests === 6) await ENDS["it was ended elsewhere"]?.(context, page);
    await route.continue();
  });
  await paste(page, products.map(({ url }) => url).join("\n"));
  await logInAgain(page);
  await expect(new Links(page).newLinks.getByRole("status")).toContainText("20 links are ready");
  const links = await linksOf(page);
  for (const { asin } of products) expect(links).toContainEqual(expect.stringMatching(`${asin}.*tag=${TAG}`));
});
