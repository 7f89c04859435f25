import { expect, test } from "./home.ts";

test("the title and image of a short Amazon link appear without a reload", async ({ home }) => {
  await home.createLink("https://amzn.in/d/1nD1a00");
  const shortUrl = await home.shortLink.textContent();
  await expect(home.result).toContainText("B08N5WRWNW");
  const picture = home.result.locator("img");
  await expect
    .poll(() => picture.evaluateAll((images: HTMLImageElement[]) => images[0]?.naturalWidth ?? 0))
    .toBeGreaterThan(0);
  await expect(home.result).not.toContainText("Amazon Product: ");
  await expect(home.shortLink).toHaveText(shortUrl ?? "");
});

test("a link whose Amazon page is a captcha keeps its icon and product id", async ({ home, page }) => {
  const metadata = page.waitForResponse(/\/api\/metadata/);
  await home.createLink("https://www.amazon.com/dp/B0CAPTCHA1?tag=me-20");
  expect(await (await metadata).json()).toMatchObject({ title: null, imageUrl: null });
  await expect(home.result).toContainText("Amazon Product: B0CAPTCHA1");
  await expect(home.result.locator("img")).toHaveCount(0);
});
