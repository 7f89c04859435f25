import { expect, newProduct, test } from "./links.ts";

test("a user creates a link, and its page shows title and image", async ({ links, page }) => {
  const { asin, url } = newProduct();
  await links.button("Create link").click();
  await expect(links.name).toHaveText("Create New Link");
  await links.field.fill(url);
  await links.field.press("Enter");
  await expect(page).toHaveURL(/\/link\/[2-9a-z]{7}$/);
  await links.expectTitle(asin);
  await expect(page).toHaveTitle(`Stand-in product ${asin} - Tapthru`);
  const picture = page.getByRole("main").locator("img");
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.goBack();
  await expect(page).toHaveURL("/dashboard");
  await expect(links.cards.getByRole("link", { name: `Stand-in product ${asin}` })).toBeVisible();
});

test("a new title is in the preview card", async ({ links, page, request }) => {
  const { shortCode } = await links.openNew();
  await links.edit("title", "A lamp for reading");
  await expect(page.getByRole("textbox")).toHaveCount(0);
  const headers = { "User-Agent": "facebookexternalhit/1.1" };
  const preview = async () => (await request.get(`/l/${shortCode}`, { headers })).text();
  await expect.poll(preview).toContain("A lamp for reading");
});

// Specification 2.50, 2.51
test("a deleted link disappears from the list, and its short link and page are not found", async ({
  links,
  page,
  request,
}) => {
  await links.create();
  const { asin, shortCode } = await links.openNew();
  await page.goto("/dashboard");
  const card = links.cards.getByRole("link", { name: `Stand-in product ${asin}` });
  await card.click();
  await links.button("Delete").click();
  await links.dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL("/dashboard");
  await expect(links.cards.first()).toBeVisible();
  await expect(card).toHaveCount(0);
  await expect(links.toast).toContainText("The link has been successfully deleted.");
  await expect(links.button("Undo")).toBeVisible();
  await expect.poll(async () => (await request.get(`/l/${shortCode}`, { maxRedirects: 0 })).status()).toBe(410);
  await page.goto(`/link/${shortCode}`);
  await expect(page.getByRole("alert")).toHaveText("Error loading link details. Please try again.");
});
