import { androidIntent, iosAppLink } from "@tapthru/proto/rules/app-opening/app-link";
import { watchAppAttempts } from "./app-attempts.ts";
import { expect, PRODUCT, test } from "./home.ts";

const appAddress: Record<string, string> = {
  iphone: iosAppLink(PRODUCT),
  android: androidIntent(PRODUCT, "com"),
};

test("a link pasted, copied and opened keeps every parameter", async ({ home, page, context }, { project }) => {
  await home.paste(PRODUCT);
  await expect(home.toast).toContainText("Link generated!Your deep link is ready to be shared");
  await expect(home.field).toBeFocused();

  await home.copyButton.click();
  await expect(home.result.getByText("Copied")).toBeAttached();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  await expect(home.shortLink).toHaveText(copied);
  await expect(home.shortLink).toHaveAttribute("href", copied);
  expect(copied).toMatch(/^http:\/\/localhost:\d+\/l\/[2-9a-z]{7}$/);

  const visit = await context.newPage();
  const attempts = await watchAppAttempts(visit);
  await visit.goto(copied, { waitUntil: "commit" });
  const expected = appAddress[project.name];
  if (expected) {
    // Not mouse clicks: the browser's dialog about the app may cover the page.
    await expect.poll(attempts).toEqual([expected]);
    await visit.getByRole("link", { name: "Try again in the Amazon app" }).dispatchEvent("click");
    await expect.poll(attempts).toEqual([expected, expected]);
    await visit.getByRole("link", { name: "Open amazon.com in the browser" }).dispatchEvent("click");
  }
  await expect(visit.getByRole("heading")).toHaveText("Stand-in product B0CX23V2ZK");
  expect(visit.url()).toBe(PRODUCT);
});

test("a short Amazon link in shared text redirects to its store page", async ({ home, request }) => {
  const shortUrl = await home.createLink("Check this out! https://amzn.to/3TapTru");
  const headers = { "User-Agent": "curl/8.5.0" };
  const response = await request.get(shortUrl, { headers, maxRedirects: 0 });
  expect(response.status()).toBe(302);
  expect(response.headers().location).toBe("https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&linkCode=ogi&th=1");
});
