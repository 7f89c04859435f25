import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, test } from "./home.ts";
import { testWithOwnAccount } from "./links.ts";
import { newProduct } from "./product.ts";

const memberTest = testWithOwnAccount();
const untagged = () => newProduct().url.split("?")[0] ?? "";

test("the tag that a visitor enters is on the new link and on the next one", async ({ home, page, request }) => {
  const url = untagged();
  const first = await home.createLink(url);
  await page.getByLabel("Your Associates tag for amazon.com").fill("me-20");
  await page.keyboard.press("Enter");
  await expect(home.shortLink).not.toHaveAttribute("href", first);
  await expect(page.getByText("me-20", { exact: true })).toBeVisible();
  const destinationOf = async (shortUrl: string) => {
    const headers = { "User-Agent": "curl/8.5.0" };
    return (await request.get(shortUrl, { headers, maxRedirects: 0 })).headers().location;
  };
  const second = (await home.shortLink.getAttribute("href")) ?? "";
  expect(await destinationOf(second)).toBe(`${url}?tag=me-20`);
  expect(await destinationOf(first)).toBe(url);

  await home.paste(untagged());
  await expect(home.shortLink).not.toHaveAttribute("href", second);
  await expect(page.getByText("me-20", { exact: true })).toBeVisible();
});

test("the form for a tag: accessible at each size, in each theme and by keyboard", async ({ home, page }) => {
  test.slow();
  await home.createLink(untagged());
  await page.getByLabel("Your Associates tag for amazon.com").fill("me-21");
  await expect(page.getByText(/^Tags for amazon.com usually end in/)).toBeVisible();
  await expect(home.toast).toHaveCount(0, { timeout: 10_000 });
  await expectAccessiblePage(page);
});

memberTest(
  "a new user is asked for their tag once, and then all links without one have it",
  async ({ links, page }) => {
    memberTest.slow();
    const shortCode = await links.create(untagged());
    await page.evaluate(() => localStorage.removeItem("asked_for_tag"));
    await page.reload();
    const form = page.getByRole("region", { name: "Earn from purchases" });
    const field = form.getByLabel("Your Associates tag for amazon.com");
    await field.fill("not a tag");
    await field.press("Enter");
    await expect(page.getByText(/^A tag has only letters/)).toBeVisible();
    await expectAccessiblePage(page);
    await field.fill("member-20");
    await field.press("Enter");
    await expect(form).toHaveCount(0);
    await page.goto(`/link/${shortCode}`);
    await expect(page.getByText("member-20", { exact: true })).toBeVisible();
  },
);
