import { type APIRequestContext, test as base, expect, type Locator, type Page } from "@playwright/test";
import { PRODUCT } from "./product.ts";

/** Creates a link to PRODUCT through the api. @returns the short link */
export async function createLink(request: APIRequestContext): Promise<string> {
  const response = await request.post("/api/generate", { data: { url: PRODUCT } });
  return (await response.json()).shortUrl;
}

/** Elements that all pages have. */
export class Site {
  readonly page: Page;
  /** The newest. */
  readonly toast: Locator;
  /** Links of the account. */
  readonly cards: Locator;

  constructor(page: Page) {
    this.page = page;
    this.toast = page.getByRole("region", { name: "Notifications" }).getByRole("listitem").last();
    this.cards = page.getByRole("main").getByRole("listitem");
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }
}

/** Page object of Home. */
export class Home extends Site {
  readonly field = this.page.getByRole("textbox", { name: "Amazon product or store link" });
  readonly result = this.page.getByRole("region", { name: "Your short link" });
  readonly shortLink = this.result.getByRole("link");
  readonly copyButton = this.result.getByRole("button", { name: "Copy link" });

  async open() {
    await this.page.goto("/");
    await this.field.waitFor();
  }

  async paste(text: string) {
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await this.field.focus();
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.press("ControlOrMeta+v");
  }

  /** Submits the empty field, which shows a toast. Enter in an empty field does nothing until the page has started. */
  async submitNothing() {
    await expect(async () => {
      await this.field.press("Enter");
      await expect(this.toast).toBeVisible({ timeout: 1_000 });
    }).toPass();
  }

  /** Pastes an Amazon link. @returns the short link */
  async createLink(url = PRODUCT): Promise<string> {
    await this.paste(url);
    await this.shortLink.waitFor();
    return (await this.shortLink.getAttribute("href")) ?? "";
  }
}

/** Tests may cause failed requests; any other console error fails the test. */
const FAILED_REQUEST =
  /^(Failed to load resource|(React Router caught the following error during render )?TypeError: Failed to fetch dynamically imported module)/;

export const test = base.extend<{ home: Home; noConsoleErrors: undefined }>({
  home: async ({ page }, use) => {
    const home = new Home(page);
    await home.open();
    await use(home);
  },
  noConsoleErrors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on("console", (message) => {
        const isFailedRequest = FAILED_REQUEST.test(message.text());
        if (message.type() === "error" && !isFailedRequest) errors.push(message.text());
      });
      page.on("pageerror", (error) => errors.push(error.message));
      await use(undefined);
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect, PRODUCT };
