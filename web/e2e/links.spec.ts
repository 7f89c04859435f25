import { expect, newProduct, test } from "./links.ts";

test("a user creates a link, and its page shows title and image", async ({ links, page }) => {
  const { asin, url } = newProduct();
  await links.button("Create link").click();
  await expect(links.name).toHaveText("Create New Link");
  await links.field.fill(url);
  await links.field.press("Enter");
  await expect(links.field).toBeDisabled();
  await expect(links.toast).toHaveText("Link generated!Redirecting to link details...");
  await expect(page).toHaveURL(/\/link\/[2-9a-z]{7}$/, { timeout: 10_000 });

  await links.expectTitle(asin);
  await expect(page).toHaveTitle(`Stand-in product ${asin} - Tapthru`);
  const picture = page.getByRole("main").locator("img");
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const shortCode = new URL(page.url()).pathname.slice("/link/".length);
  const shortUrl = page.getByRole("link", { name: `/l/${shortCode}` });
  await expect(shortUrl).toHaveAttribute("target", "_blank");
  await expect(page.getByRole("link", { name: url })).toHaveAttribute("href", url);

  await page.goBack();
  await expect(page).toHaveURL("/dashboard");
  await expect(links.cards.getByRole("link", { name: `Stand-in product ${asin}` })).toBeVisible();
});

test("a new title is in the preview card within a second", async ({ links, page, request }) => {
  const { shortCode } = await links.openNew();
  await links.edit("title", "A lamp for reading");
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expect(links.name).toHaveText("A lamp for reading");
  const headers = { "User-Agent": "facebookexternalhit/1.1" };
  const preview = async () => (await request.get(`/l/${shortCode}`, { headers })).text();
  await expect.poll(preview, { timeout: 1_000, intervals: [100] }).toContain("A lamp for reading");
});

test("a deleted link disappears from the list, and its short link and page are not found", async ({
  links,
  page,
  request,
}) => {
  await links.create();
  const { asin, shortCode } = await links.openNew();
  await page.goto("/dashboard");
  await links.cards.getByRole("link", { name: `Stand-in product ${asin}` }).click();

  await links.button("Delete").click();
  await expect(links.dialog).toHaveText(/^Are you sure you want to delete this link\? This action cannot be undone\./);
  await links.dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(links.dialog).toBeHidden();
  await expect(links.button("Delete")).toBeFocused();

  await links.button("Delete").click();
  await links.dialog.getByRole("button", { name: "Delete" }).click();
  await expect(links.toast).toHaveText("Link deletedThe link has been successfully deleted.");
  await expect(page).toHaveURL("/dashboard");
  await expect(links.cards.first()).toBeVisible();
  await expect(links.cards.getByRole("link", { name: `Stand-in product ${asin}` })).toHaveCount(0);
  await expect(links.button("Undo")).toBeVisible();
  await page.reload();
  const status = async () => (await request.get(`/l/${shortCode}`, { maxRedirects: 0 })).status();
  await expect.poll(status).toBe(410);

  await page.goto(`/link/${shortCode}`);
  await expect(page.getByRole("alert")).toHaveText("Error loading link details. Please try again.");
  await links.button("Return to Dashboard").click();
  await expect(page).toHaveURL("/dashboard");
});

test("a search matches the nickname, is in the URL, and is kept when going back", async ({ links, page }) => {
  const { asin } = await links.openNew();
  const nickname = `Lamp ${asin}`;
  await links.edit("nickname", nickname);
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await links.create();
  await page.goto("/dashboard");
  await links.search.fill(nickname.toLowerCase());
  await expect(page).toHaveURL(/q=lamp/);
  await expect(links.cards).toHaveCount(1);
  await links.cards.getByRole("link", { name: nickname }).click();
  await expect(links.name).toHaveText(nickname);
  await page.goBack();
  await expect(links.search).toHaveValue(nickname.toLowerCase());
  await expect(links.cards).toHaveCount(1);

  await links.search.fill("no such link");
  await expect(page.getByText('No links match "no such link".')).toBeVisible();
  await links.button("Clear search").click();
  await expect(page).toHaveURL("/dashboard");
  await expect(links.cards).not.toHaveCount(0);
});

// Specification 2.31
test("a click on a card's arrow or picture opens the link", async ({ links, page }) => {
  const shortCode = await links.create();
  for (const part of ["lucide-chevron-right", "bg-sunken, .bg-white"]) {
    await page.goto("/dashboard");
    const card = links.cards.filter({ has: page.locator(`a[href="/link/${shortCode}"]`) });
    const box = await card.locator(`.${part}`).first().boundingBox();
    await page.mouse.click((box?.x ?? 0) + 4, (box?.y ?? 0) + 4);
    await expect(page).toHaveURL(`/link/${shortCode}`);
  }
});
