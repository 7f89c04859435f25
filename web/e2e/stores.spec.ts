import { expect, newProduct, testWithOwnAccount } from "./links.ts";
import { setFontSize } from "./text-fits.ts";

const test = testWithOwnAccount();
const untagged = (host = "amazon.com") => newProduct().url.replace("amazon.com", host).replace(/\?.*/, "");

// The fixture `links` opens the dashboard.
test.beforeEach(({ links }) => links.page.goto("/account/stores"));

test("tags are saved by keyboard, stay, and are offered for a link", async ({ links, page }) => {
  const field = page.getByRole("textbox", { name: "amazon.de (Germany)" });
  await links.button("More stores").click();
  await field.fill("me-21");
  await field.press("Enter");
  await expect(page.getByText("Saved.", { exact: true })).toBeInViewport();
  await expect(field).toBeFocused();
  await page.reload();
  await expect(field).toHaveValue("me-21");
  await page.goto(`/link/${await links.create(untagged("amazon.de"))}`);
  await links.button("Use the channel's tag: me-21").click();
  await expect(page.getByText("This link has no tag, so you earn nothing from purchases.")).toBeHidden();
});

test("the message of a save is visible on a phone with large text", async ({ links, page }) => {
  await links.button("More stores").click();
  await page.setViewportSize({ width: 360, height: 800 });
  await setFontSize(page, "200%");
  const field = page.getByRole("textbox", { name: "amazon.fr (France)" });
  for (const [text, note] of [
    ["not a tag", /^A tag has only/],
    ["me-21", "Saved."],
    ["", "Saved."],
  ] as const) {
    await field.fill(text);
    await field.press("Enter");
    await expect(page.getByText(note)).toBeInViewport({ ratio: 1 });
    await expect(field).toBeInViewport({ ratio: 1 });
  }
});

test("a tag goes to links that earn nothing without it", async ({ links, page }) => {
  const shortCode = await links.create(untagged("amazon.it"));
  await page.reload();
  const field = page.getByRole("textbox", { name: "amazon.it (Italy)" });
  await expect(page.getByText("1 link without a tag earns nothing.")).toBeVisible();
  await field.fill("me-21");
  await field.press("Enter");
  await expect(page.getByText("Saved. 1 link now has the tag.")).toBeVisible();
  await page.goto(`/link/${shortCode}`);
  await expect(page.getByRole("link", { name: /\?tag=me-21$/ })).toBeVisible();
});

test("links follow the tag of a channel, and keep it when the channel is deleted", async ({ links, page, request }) => {
  const store = page
    .getByRole("list", { name: "Tags of Instagram" })
    .getByRole("textbox", { name: "amazon.com (United States)" });
  const saveTag = async (tag: string) => {
    await store.fill(tag);
    await store.press("Enter");
    await expect(page.getByText(/^Saved\./)).toBeVisible();
  };
  await links.button("New channel").press("Enter");
  await expect(page.locator(":focus")).toHaveAccessibleName("Name of the channel");
  await page.keyboard.type("Instagram");
  await page.keyboard.press("Enter");
  // Those in which the account has tags are shown first.
  await links.button("More stores").press("Enter");
  await saveTag("insta-20");

  const url = untagged();
  const shortCode = await links.create(url);
  await page.goto(`/link/${shortCode}`);
  await links.button("without a tag").press("Enter");
  await page.getByRole("combobox", { name: "Channel" }).selectOption("Instagram");
  await links.button("Save").press("Enter");
  await links.button("Use the channel's tag: insta-20").press("Enter");
  await expect(links.button("Keep this tag")).toBeVisible();
  const destination = async () => {
    const headers = { "User-Agent": "curl/8.5.0" };
    return (await request.get(`/l/${shortCode}`, { headers, maxRedirects: 0 })).headers().location;
  };
  await expect.poll(destination).toBe(`${url}?tag=insta-20`);

  await page.goto("/account/stores");
  await expect(store).toHaveValue("insta-20");
  await saveTag("instagram-20");
  await expect.poll(destination).toBe(`${url}?tag=instagram-20`);
  await expect(page.getByText("Saved. 1 link now has the tag.")).toBeVisible();
  await links.button("Settings of Instagram").press("Enter");
  await links.button("Delete Instagram").press("Enter");
  await expect(links.dialog).toContainText("1 link keeps its tag");
  await links.dialog.getByRole("button", { name: "Delete" }).press("Enter");
  await expect(store).toHaveCount(0);
  await expect.poll(destination).toBe(`${url}?tag=instagram-20`);
});
