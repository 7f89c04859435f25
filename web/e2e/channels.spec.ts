import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, newProduct, testWithOwnAccount } from "./links.ts";

const test = testWithOwnAccount();

const untagged = () => newProduct().url.split("?")[0] ?? "";

test("a channel is created by keyboard, and links follow its tag; each step is accessible", async ({
  links,
  page,
  request,
}) => {
  test.slow();
  const store = page.getByRole("textbox", { name: "amazon.com (United States)" });
  const saved = page.getByText("Saved.", { exact: true });
  await page.goto("/account/stores");
  await store.fill("main-20");
  await store.press("Enter");
  await expect(saved).toBeVisible();
  await links.button("New channel").press("Enter");
  await expect(page.locator(":focus")).toHaveAccessibleName("Name of the channel");
  await page.keyboard.type("main");
  await page.keyboard.press("Enter");
  await expect(page.getByText("You have a channel with this name.")).toBeVisible();
  await page.locator(":focus").fill("Instagram");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("radio", { name: "Instagram" })).toBeChecked();
  await store.fill("main-20");
  await store.press("Enter");
  await expect(page.getByText("Another of your channels has this tag.")).toBeVisible();
  await expectAccessiblePage(page);
  await store.fill("insta-20");
  await store.press("Enter");
  await expect(saved).toBeVisible();

  const url = untagged();
  const shortCode = await links.create(url);
  await page.goto(`/link/${shortCode}`);
  await page.getByRole("combobox", { name: "Channel" }).selectOption("Instagram");
  await links.button("Save").press("Enter");
  await links.button("Use the channel's tag: insta-20").press("Enter");
  const source = page.getByText("The tag of Instagram. It changes with the channel's tag.");
  await expect(source).toBeFocused();
  await expectAccessiblePage(page);
  const destination = async () => {
    const headers = { "User-Agent": "curl/8.5.0" };
    return (await request.get(`/l/${shortCode}`, { headers, maxRedirects: 0 })).headers().location;
  };
  await expect.poll(destination).toBe(`${url}?tag=insta-20`);

  await page.goto("/account/stores");
  await page.getByRole("radio", { name: "Main" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(store).toHaveValue("insta-20");
  await store.fill("instagram-20");
  await store.press("Enter");
  await expect(saved).toBeVisible();
  await expect.poll(destination).toBe(`${url}?tag=instagram-20`);

  await links.button("Delete Instagram").press("Enter");
  await expect(links.dialog).toContainText("1 link keeps its tag");
  await expectAccessiblePage(page);
  await links.dialog.getByRole("button", { name: "Delete" }).press("Enter");
  await expect(page.getByRole("radio", { name: "Instagram" })).toHaveCount(0);
  await page.goto(`/link/${shortCode}`);
  await expect(page.getByText("Your own tag. It stays when the tag of Main changes.")).toBeVisible();
  await expect.poll(destination).toBe(`${url}?tag=instagram-20`);
});

test("several links are put on a channel, whose tag they get", async ({ links, page }) => {
  test.slow();
  await page.goto("/account/stores");
  await links.button("New channel").click();
  await page.getByLabel("Name of the channel").fill("Blog");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("radio", { name: "Blog" })).toBeChecked();
  const store = page.getByRole("textbox", { name: "amazon.com (United States)" });
  await store.fill("blog-20");
  await store.press("Enter");
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await page.goto("/dashboard");
  await links.createAndList();
  await links.button("Select").click();
  await page.getByRole("checkbox").first().check();
  await links.button("Channel").click();
  const dialog = page.getByRole("dialog", { name: "Channel of 1 link" });
  await dialog.getByRole("combobox", { name: "Channel" }).selectOption("Blog");
  await dialog.getByRole("checkbox", { name: /^Use the channel's tag/ }).check();
  await expectAccessiblePage(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(links.toast).toContainText("The channel is set.");
  await expect(links.cards.first()).toContainText(/blog-20.*Blog/);
});
