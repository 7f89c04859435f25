import type { Page } from "@playwright/test";
import { expectAccessiblePage } from "./accessible-page.ts";
import { Accounts, newAccount } from "./accounts.ts";
import { expect, test as guestTest } from "./home.ts";
import { newProduct, test } from "./links.ts";

const panelOf = (page: Page) => page.getByRole("region", { name: "New links" });
const statusOf = (page: Page) => panelOf(page).getByRole("status");
const shortLinksOf = (page: Page) => panelOf(page).getByRole("link", { name: /\/l\// });
const list = (...urls: string[]) => urls.join("\n");

async function pasteOnPage(page: Page, text: string) {
  await page.evaluate((copied) => {
    (document.activeElement as HTMLElement | null)?.blur();
    return navigator.clipboard.writeText(copied);
  }, text);
  await page.keyboard.press("ControlOrMeta+v");
}

/** Drags text from another window to the middle of the page. */
async function drag(page: Page, types: string[], text: string) {
  const data = await page.evaluateHandle((dragged) => {
    const transfer = new DataTransfer();
    transfer.setData("text/plain", dragged);
    return transfer;
  }, text);
  for (const type of types) await page.dispatchEvent("main", type, { dataTransfer: data });
}

guestTest("each of several pasted links opens its page", async ({ home, page, request }) => {
  const [first, second] = [newProduct().url, newProduct().url];
  await home.paste(list(first, "https://amzn.to/3TapTru", second));
  await expect(statusOf(page)).toHaveText("3 links are ready");
  const shortLinks = await shortLinksOf(page).all();
  const destinations = await Promise.all(
    shortLinks.map(async (link) => {
      const headers = { "User-Agent": "curl/8.5.0" };
      const address = (await link.getAttribute("href")) ?? "";
      return (await request.get(address, { headers, maxRedirects: 0 })).headers().location;
    }),
  );
  expect(destinations).toEqual([
    first,
    "https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&linkCode=ogi&th=1",
    second,
  ]);
  await expect(home.field).toBeFocused();
});

guestTest("links created at once all belong to the account that is then created", async ({ home, page }) => {
  await home.paste(list(newProduct().url, newProduct().url));
  await expect(statusOf(page)).toHaveText("2 links are ready");
  await page.getByRole("main").getByRole("button", { name: "Sign up for free" }).click();
  const forms = new Accounts(page);
  await forms.fillSignUp(newAccount());
  await forms.button("Sign up").click();
  await expect(forms.dashboard).toBeVisible();
  await page.reload();
  await expect(forms.cards).toHaveCount(2);
});

guestTest("a link dropped on the page is created", async ({ home, page }) => {
  const { url } = newProduct();
  const target = page.getByText("Drop your Amazon links here");
  await expect(async () => {
    await drag(page, ["dragenter", "dragover"], url);
    await expect(target).toBeVisible({ timeout: 500 });
  }).toPass();
  await drag(page, ["drop"], url);
  await expect(target).toBeHidden();
  await expect(home.shortLink).toBeVisible();
  await expect(home.field).toHaveValue(url);
});

guestTest("copying a result while the field holds an unfinished link keeps the result", async ({ home, page }) => {
  const [untagged = ""] = newProduct().url.split("?");
  const shortUrl = await home.createLink(untagged);
  await expect(home.field).toBeFocused();
  await page.keyboard.type("?tag=me");
  await home.copyButton.click();
  await expect(home.toast).toContainText("Copied!");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shortUrl);
  await expect(home.shortLink).toHaveAttribute("href", shortUrl);
  await expect(page.getByText("Press Enter when your link is complete.")).toBeVisible();
});

guestTest(
  "results and errors of several links: accessible at each size, in each theme and by keyboard",
  async ({ home, page }) => {
    guestTest.slow();
    await home.paste(list(newProduct().url, "https://example.com/lamp", "https://amzn.to/missing", newProduct().url));
    await expect(statusOf(page)).toHaveText("2 links are ready, 2 failed");
    await expectAccessiblePage(page);
  },
);

guestTest(
  "recent links after a reload: accessible at each size, in each theme and by keyboard",
  async ({ home, page }) => {
    guestTest.slow();
    await home.paste(list(...[1, 2, 3, 4].map(() => newProduct().url)));
    await expect(statusOf(page)).toHaveText("4 links are ready");
    await page.reload();
    await page.getByRole("button", { name: "Show all 4" }).click();
    await expectAccessiblePage(page);
  },
);

test("links pasted on the dashboard appear in its list", async ({ links, page }) => {
  await links.createAndList();
  const products = [newProduct(), newProduct()];
  await pasteOnPage(page, list(...products.map(({ url }) => url)));
  await expect(statusOf(page)).toHaveText("2 links are ready");
  const codes = await shortLinksOf(page).evaluateAll((found) =>
    found.map((link) => link.getAttribute("href")?.split("/").at(-1)),
  );
  for (const code of codes) {
    await expect(links.cards.locator(`a[href="/link/${code}"]`)).toHaveCount(2);
  }
  await links.button("Done").click();
  await expect(panelOf(page)).toBeHidden();
});

test("results on the dashboard: accessible at each size, in each theme and by keyboard", async ({ links }) => {
  test.slow();
  const { page } = links;
  await links.createAndList();
  await pasteOnPage(page, list(newProduct().url, "https://amzn.to/missing", newProduct().url));
  await expect(statusOf(page)).toHaveText("2 links are ready, 1 failed");
  await expectAccessiblePage(page);
});
