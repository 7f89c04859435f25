import type { Page } from "@playwright/test";
import { runSql } from "./database.ts";
import { expect, newProduct, signUp, test } from "./links.ts";

// An account for each test: it begins without links.
test.use({
  storageState: async ({ browser, baseURL }, use) => {
    await use(await signUp(browser, baseURL ?? ""));
  },
});

test("order and filters survive a reload and going back", async ({ links, page }) => {
  const { url } = newProduct();
  const untagged = url.replace(/\?.*/, "");
  await links.create(url);
  const shortCode = await links.create(untagged);
  await links.create(untagged.replace(".com", ".de"));
  await page.reload();
  await expect(links.cards).toHaveCount(3);
  const menu = (name: string) => page.getByRole("combobox", { name, exact: true });
  await menu("Filter by store").selectOption("amazon.com");
  await expect(links.cards).toHaveCount(2);
  await menu("Filter by tag").selectOption("No tag");
  await menu("Sort").selectOption("By name");
  const address = "/dashboard?store=com&tag=no-tag&sort=name";
  await expect(page).toHaveURL(address);

  await page.reload();
  await expect(links.cards).toHaveCount(1);
  await links.cards.getByRole("link").press("Enter");
  await expect(page).toHaveURL(`/link/${shortCode}`);
  const tab = page.getByRole("navigation", { name: "Parts of this link's page" }).getByRole("link", { name: "Clicks" });
  await tab.click();
  await expect(page).toHaveURL(`/link/${shortCode}/clicks`);
  await expect(tab).toHaveAttribute("aria-current", "page");
  await expect(page).toHaveTitle(/^Clicks: .* - Tapthru$/);
  await links.button("< Back to List").press("Enter");
  await expect(page).toHaveURL(address);
  // The address changes before the page.
  await expect(links.cards).toHaveCount(1);
  await expect(links.cards.getByRole("link")).toBeFocused();
  await expect(menu("Sort")).toHaveValue("name");
});

test("pasted links are created while another page is shown, and appear in the list", async ({ links, page }) => {
  await links.createAndList();
  const released = Promise.withResolvers<void>();
  await page.route("/api/generate", async (route) => {
    await released.promise;
    await route.continue();
  });
  await links.paste(newProduct().url, newProduct().url);
  await expect(links.newLinks).toBeVisible();
  await page.getByRole("banner").getByRole("link", { name: "Clicks" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Clicks" })).toBeVisible();
  released.resolve();
  await page.goBack();
  await expect(links.newLinks.getByRole("status")).toHaveText("2 links are ready");
  await links.button("Done").click();
  await expect(links.newLinks).toBeHidden();
  await expect(links.cards).toHaveCount(3);
});

test("deleted links come back with 'Undo', with code, label, channel and taps", async ({ links, page, request }) => {
  const codes = [await links.create(), await links.create()];
  const open = (code?: string) => request.get(`/l/${code}`, { maxRedirects: 0 });
  await runSql(
    `WITH link AS (SELECT id, user_id FROM links WHERE short_code = $1), label AS (
      INSERT INTO labels (user_id, name, name_key, colour) SELECT user_id, 'Gifts', 'gifts', 'red' FROM link RETURNING id
    ), channel AS (
      INSERT INTO channels (user_id, name, name_key) SELECT user_id, 'Blog', 'blog' FROM link RETURNING id
    ), moved AS (UPDATE links SET channel_id = channel.id FROM link, channel WHERE links.id = link.id), clicks AS (
      INSERT INTO clicks SELECT link.id, current_date, '{"p": "3:7"}', NULL, 7, user_id FROM link
    ) INSERT INTO link_labels SELECT link.id, label.id FROM link, label`,
    [codes[0]],
  );
  await page.reload();
  await expect(links.cards).toHaveCount(2);
  await links.button("Select").press("Enter");
  await links.button("Select all").press("Enter");
  await expect(links.button("Delete")).toBeEnabled();
  await links.button("Delete").press("Enter");
  await expect(links.cards).toHaveCount(0);
  await expect.poll(async () => (await open(codes[0])).status()).toBe(410);
  await links.button("Undo").press("Enter");
  await expect(links.cards).toHaveCount(2);
  for (const text of ["Gifts", "Blog"]) await expect(links.cards.getByText(text)).toBeVisible();
  await expect(links.cards.getByText("7 taps in 30 days")).toBeVisible();
  for (const code of codes) await expect.poll(async () => (await open(code)).status()).toBe(302);
});

for (const [when, leave] of [
  ["at once", () => {}],
  ["when the page is reloaded at once", (page: Page) => page.reload()],
  ["when the page is closed at once", (page: Page) => page.close()],
] as const) {
  test(`deleted links are gone ${when}, and their short links lead nowhere`, async ({ links, page, request }) => {
    const shortCode = await links.create();
    await page.reload();
    await links.button("Select").click();
    await links.cards.first().click();
    await links.button("Delete").click();
    await leave(page);
    await expect.poll(async () => (await request.get(`/l/${shortCode}`, { maxRedirects: 0 })).status()).toBe(410);
  });
}
