import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, test } from "./home.ts";
import { test as memberTest } from "./links.ts";
import { newProduct } from "./product.ts";

const untagged = () => newProduct().url.split("?")[0] ?? "";

test("the tag that a visitor adds is on the new link, and is filled in for the next one", async ({
  home,
  page,
  request,
}) => {
  const url = untagged();
  const first = await home.createLink(url);
  const tagField = page.getByLabel("Your Associates tag for amazon.com");
  await page.getByRole("button", { name: "Add your tag" }).click();
  await expect(tagField).toBeFocused();
  await tagField.fill("me-20");
  await tagField.press("Enter");
  await expect(home.shortLink).not.toHaveAttribute("href", first);
  await expect(home.field).toHaveValue(`${url}?tag=me-20`);
  await expect(page.getByText("me-20", { exact: true })).toBeVisible();
  const destinationOf = async (shortUrl: string) => {
    const headers = { "User-Agent": "curl/8.5.0" };
    return (await request.get(shortUrl, { headers, maxRedirects: 0 })).headers().location;
  };
  const second = (await home.shortLink.getAttribute("href")) ?? "";
  expect(await destinationOf(second)).toBe(`${url}?tag=me-20`);
  expect(await destinationOf(first)).toBe(url);

  await home.createLink(untagged());
  await page.getByRole("button", { name: "Add your tag" }).click();
  await expect(tagField).toHaveValue("me-20");
});

test("the form for a tag: accessible at each size, in each theme and by keyboard", async ({ home, page }) => {
  test.slow();
  await home.createLink(untagged());
  await page.getByRole("button", { name: "Add your tag" }).click();
  await page.getByLabel("Your Associates tag for amazon.com").fill("me-21");
  await expect(page.getByText(/^Tags for amazon.com usually end in/)).toBeVisible();
  await expect(home.toast).toHaveCount(0, { timeout: 10_000 });
  await expectAccessiblePage(page);
});

memberTest("the tag that a member adds is remembered in the account", async ({ links, page }) => {
  await page.goto(`/link/${await links.create(untagged())}`);
  const tagField = page.getByLabel("Your Associates tag for amazon.com");
  await links.button("Add your tag").click();
  await tagField.fill("member-20");
  const saved = page.waitForResponse((response) => response.url().endsWith("/tags"));
  await links.button("Create link with tag").click();
  expect((await saved).status()).toBe(200);
  await expect(page.getByText("member-20", { exact: true })).toBeVisible();

  await page.goto(`/link/${await links.create(untagged())}`);
  await links.button("Add your tag").click();
  await expect(tagField).toHaveValue("member-20");
  expect(await page.evaluate(() => localStorage.getItem("store_tags"))).toBeNull();
});

memberTest(
  "the form on a link's page: accessible at each size, in each theme and by keyboard",
  async ({ links, page }) => {
    memberTest.slow();
    await page.goto(`/link/${await links.create(untagged())}`);
    await links.button("Add your tag").click();
    const tagField = page.getByLabel("Your Associates tag for amazon.com");
    await tagField.fill("not a tag");
    await tagField.press("Enter");
    await expect(page.getByText(/^A tag has only letters/)).toBeVisible();
    await expectAccessiblePage(page);
  },
);
