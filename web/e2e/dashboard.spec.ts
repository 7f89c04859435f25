import type { Page } from "@playwright/test";
import { expect, newProduct, signUp, test } from "./links.ts";

// An account for this file: other tests create links in the shared one.
test.use({
  storageState: async ({ browser, baseURL }, use) => {
    await use(await signUp(browser, baseURL ?? ""));
  },
});

test("order and filters survive a reload and going back", async ({ links, page }) => {
  const { url } = newProduct();
  const untagged = url.replace(/\?.*/, "");
  const codes = [
    await links.create(url),
    await links.create(untagged),
    await links.create(untagged.replace(".com", ".de")),
  ];
  await page.reload();
  await expect(links.cards).toHaveCount(3);
  const menu = (name: string) => page.getByRole("combobox", { name, exact: true });

  await links.button("Filters").click();
  await menu("Filter by store").selectOption("amazon.com");
  await expect(links.cards).toHaveCount(2);
  await menu("Filter by state").selectOption("No tag");
  await expect(links.cards).toHaveCount(1);
  await menu("Sort").selectOption("By name");
  await expect(page).toHaveURL("/dashboard?sort=name&store=com&show=no-tag");

  await page.reload();
  await expect(links.cards).toHaveCount(1);
  await links.cards.getByRole("link").press("Enter");
  await expect(page).toHaveURL(`/link/${codes[1]}`);
  await page.getByRole("navigation", { name: "Parts of this link's page" }).getByText("Clicks").click();
  await expect(page).toHaveURL(`/link/${codes[1]}/clicks`);
  await links.button("< Back to List").press("Enter");
  await expect(page).toHaveURL("/dashboard?sort=name&store=com&show=no-tag");
  await expect(menu("Sort")).toHaveValue("name");
  await expect(links.button("Remove filter State: No tag")).toBeVisible();
  await expect(links.cards).toHaveCount(1);
  await expect(links.cards.getByRole("link")).toBeFocused();
});

test("selected links are deleted by keyboard, and come back with 'Undo'", async ({ links, page }) => {
  for (let n = 0; n < 3; n += 1) await links.create();
  await page.reload();
  await expect(links.cards).toHaveCount(3);
  let deletions = 0;
  page.on("request", (request) => {
    if (request.method() === "DELETE") deletions += 1;
  });

  await links.button("Select").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Space");
  await expect(page.getByText("3 selected")).toBeVisible();
  await links.button("Delete").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("3 links deleted")).toBeVisible();
  await expect(links.cards).toHaveCount(0);
  await expect(links.button("Undo")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(links.cards).toHaveCount(3);
  await expect(links.button("Select")).toBeFocused();
  expect(deletions).toBe(0);
});

test("a click anywhere on a card selects it, and a click with Shift selects a range", async ({ links, page }) => {
  for (let n = 0; n < 4; n += 1) await links.create();
  await page.reload();
  await expect(links.cards).toHaveCount(4);
  await links.button("Select").click();
  await links.cards.nth(0).click();
  await links.cards.nth(2).click({ modifiers: ["Shift"] });
  await expect(page.getByText("3 selected")).toBeVisible();
  await expect(page).toHaveURL("/dashboard");
});

test("deleted links are gone after 10 seconds, and their short links lead nowhere", async ({
  links,
  page,
  request,
}) => {
  const shortCode = await links.create();
  await links.create();
  await page.reload();
  await expect(links.cards).toHaveCount(2);
  await links.button("Select").click();
  await links.cards.nth(1).click();
  const isDeleted = page.waitForResponse(/\/api\/links\/bulk$/, { timeout: 30_000 });
  await links.button("Delete").click();
  expect((await request.get(`/l/${shortCode}`, { maxRedirects: 0 })).status()).toBe(302);
  expect((await isDeleted).status()).toBe(200);
  await expect(links.button("Undo")).toHaveCount(0);
  await expect(links.button("Select")).toBeFocused();
  expect((await request.get(`/l/${shortCode}`, { maxRedirects: 0 })).status()).toBe(410);
  await expect(links.cards).toHaveCount(1);
});

for (const [how, leave] of [
  ["reloaded", (page: Page) => page.reload()],
  ["closed", (page: Page) => page.close()],
] as const) {
  test(`deleted links are gone when the page is ${how} within 10 seconds`, async ({ links, page, request }) => {
    const shortCode = await links.create();
    await page.reload();
    await links.button("Select").click();
    await links.cards.first().click();
    await links.button("Delete").click();
    await expect(page.getByText("1 link deleted")).toBeVisible();
    await leave(page);
    await expect.poll(async () => (await request.get(`/l/${shortCode}`, { maxRedirects: 0 })).status()).toBe(410);
  });
}

test("the head of the page is shown before the session and the list have loaded", async ({ page }) => {
  await page.route("/api/**", () => {});
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { name: "Your Links" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create link" })).toBeVisible();
  await expect(page.getByText("Loading your links...")).toBeVisible();
});
