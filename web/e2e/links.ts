import type { Browser, BrowserContext } from "@playwright/test";
import { Accounts } from "./accounts.ts";
import { confirmEmail, runSql } from "./database.ts";
import { test as base, expect, Site } from "./home.ts";
import { newAccount } from "./new-account.ts";
import { newProduct } from "./product.ts";

export type StoredState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Signs a new user up through the form, and confirms their address. @returns the state that signs in another browser */
export async function signUp(browser: Browser, baseURL: string, account = newAccount()): Promise<StoredState> {
  // The test's own browser is already signed in.
  const context = await browser.newContext({ baseURL, storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  await confirmEmail((await new Accounts(page).signUp(account)).email);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Page object of a user's links. */
export class Links extends Site {
  readonly search = this.page.getByRole("searchbox", { name: "Search your links" });
  readonly name = this.page.getByRole("heading", { level: 1 });
  readonly field = this.page.getByPlaceholder("Paste your Amazon link here...");
  readonly dialog = this.page.getByRole("alertdialog");
  readonly newLinks = this.page.getByRole("region", { name: "New links" });

  /** Creates a link through the api. @returns its short code */
  async create(url = newProduct().url): Promise<string> {
    const headers = { Origin: new URL(this.page.url()).origin, "Idempotency-Key": crypto.randomUUID() };
    let shortCode = "";
    // On a machine that is busy with other work too, the api refuses what takes it too long.
    await expect(async () => {
      const response = await this.page.request.post("/api/generate", { data: { url }, headers });
      expect(response.ok()).toBe(true);
      shortCode = (await response.json()).shortCode;
    }).toPass();
    return shortCode;
  }

  /** Creates a link and waits until the list shows it. The dashboard's own controls are shown before. */
  async createAndList() {
    const shortCode = await this.create();
    await this.page.reload();
    await expect(this.cards.locator(`a[href="/link/${shortCode}"]`)).toBeVisible();
  }

  /** Creates a link and opens its page. Waits for the product's title. @param tab such as "/settings" */
  async openNew(tab = ""): Promise<{ asin: string; shortCode: string }> {
    const { asin, url } = newProduct();
    const shortCode = await this.create(url);
    await this.page.goto(`/link/${shortCode}${tab}`);
    await this.expectTitle(asin);
    return { asin, shortCode };
  }

  /** Reloads a link's page until it shows the title. A page requests a missing one again for some seconds only. */
  async expectTitle(asin: string) {
    await expect(async () => {
      await this.page.reload();
      await expect(this.name).toHaveText(`Stand-in product ${asin}`, { timeout: 20_000 });
    }).toPass();
  }

  /** The api's reply about a link. */
  async fetch(shortCode: string) {
    return (await this.page.request.get(`/api/links/${shortCode}`)).json();
  }

  /** Opens the page of a new link, about which the api says something else. */
  async openChanged(changes: object, url?: string) {
    const shortCode = await this.create(url);
    const json = { ...(await this.fetch(shortCode)), ...changes };
    await this.page.route(`/api/links/${shortCode}`, (route) => route.fulfill({ json }));
    await this.page.goto(`/link/${shortCode}`);
    // The heading is also displayed while the page loads, so wait for the button.
    await expect(this.button("Delete")).toBeVisible();
  }

  /** Reloads the page, and cancels when the browser asks. */
  async cancelReload() {
    const [question] = await Promise.all([
      this.page.waitForEvent("dialog"),
      this.page.evaluate(() => void setTimeout(() => location.reload())),
    ]);
    await question.dismiss();
  }

  /** Pastes links, each in a line, outside any field. */
  async paste(...urls: string[]) {
    await this.page.evaluate((copied) => {
      (document.activeElement as HTMLElement | null)?.blur();
      return navigator.clipboard.writeText(copied);
    }, urls.join("\n"));
    await this.page.keyboard.press("ControlOrMeta+v");
  }

  async edit(field: "name" | "title", text: string) {
    await this.button(`Edit ${field}`).click();
    await this.page.getByRole("textbox").fill(text);
    await this.button("Save").click();
  }
}

interface TestFixtures {
  links: Links;
}

interface WorkerFixtures {
  account: StoredState;
}

/** For tests with a signed-in user. The tests of one worker share an account. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  account: [
    async ({ browser }, use, { project }) => {
      await use(await signUp(browser, project.use.baseURL ?? ""));
    },
    { scope: "worker" },
  ],
  storageState: ({ account }, use) => use(account),
  links: async ({ page }, use) => {
    await page.goto("/dashboard");
    const links = new Links(page);
    // It is visible once the application has started.
    await expect(links.button("Create link")).toBeVisible();
    await use(links);
  },
});

/** The same for a file whose tests need an account that no other file changes. */
export function testWithOwnAccount({ isOperator = false } = {}) {
  return test.extend<object, WorkerFixtures>({
    account: [
      async ({ browser }, use, { project }) => {
        const account = newAccount();
        const state = await signUp(browser, project.use.baseURL ?? "", account);
        if (isOperator) await runSql("UPDATE users SET is_operator = true WHERE email = $1", [account.email]);
        await use(state);
      },
      { scope: "worker" },
    ],
  });
}

export { expect, newProduct };
