import { Accounts, newAccount } from "./accounts.ts";
import { expect, test } from "./home.ts";
import { newProduct } from "./product.ts";

test("the tag that a visitor enters is on the new link and on the next one", async ({ home, page, request }) => {
  const untagged = () => newProduct().url.replace(/\?.*/, "");
  const url = untagged();
  const first = await home.createLink(url);
  await page.getByLabel("Your tag for amazon.com").fill("me-20");
  await page.keyboard.press("Enter");
  await expect(home.shortLink).not.toHaveAttribute("href", first);
  await expect(page.getByText("me-20", { exact: true })).toBeVisible();
  const second = (await home.shortLink.getAttribute("href")) ?? "";
  const headers = { "User-Agent": "curl/8.5.0" };
  const destination = (await request.get(second, { headers, maxRedirects: 0 })).headers().location;
  expect(destination).toBe(`${url}?tag=me-20`);
  await home.paste(untagged());
  await expect(home.shortLink).not.toHaveAttribute("href", second);
  await expect(page.getByText("me-20", { exact: true })).toBeVisible();
});

test("several pasted links are created while the visitor is on another page, then belong to their new account", async ({
  home,
  page,
}) => {
  const released = Promise.withResolvers<void>();
  await page.route("/api/generate", async (route) => {
    await released.promise;
    await route.continue();
  });
  await home.paste([newProduct().url, "https://amzn.to/3TapTru", newProduct().url].join("\n"));
  await expect(home.field).toBeDisabled();
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy policy" }).click();
  await expect(page.getByRole("heading", { name: "Privacy policy" })).toBeVisible();
  released.resolve();
  await page.goBack();
  await expect(page.getByRole("region", { name: "New links" }).getByRole("link", { name: /\/l\// })).toHaveCount(3);

  await page.getByRole("banner").getByRole("link", { name: "Sign up for free" }).click();
  const accounts = new Accounts(page);
  await accounts.fillSignUp(newAccount());
  await accounts.button("Sign up").click();
  await expect(accounts.dashboard).toBeVisible();
  await page.reload();
  await expect(accounts.cards).toHaveCount(3);
});
