import { expect, testWithOwnAccount } from "./links.ts";
import { newProduct } from "./product.ts";

const test = testWithOwnAccount();

// The fixture `links` opens the dashboard.
test.beforeEach(async ({ links: { page } }) => {
  await page.goto("/account");
  await page.getByRole("main").getByRole("link", { name: "Sharing" }).click();
  await expect(page).toHaveURL("/account/stores");
});

const german = "amazon.de (Germany)";

test("tags are saved by keyboard, stay, and are offered for a link", async ({ links, page }) => {
  test.slow();
  const field = page.getByRole("textbox", { name: german });
  await links.button("More stores").click();
  await field.fill("me-21");
  await field.press("Enter");
  await expect(page.getByText("Saved.", { exact: true })).toBeInViewport();
  await expect(field).toBeFocused();
  await page.reload();
  await expect(field).toHaveValue("me-21");

  const [path = ""] = newProduct().url.replace("amazon.com", "amazon.de").split("?");
  await page.goto(`/link/${await links.create(path)}`);
  await links.button("Use the channel's tag: me-21").click();
  await expect(page.getByText("This link has no tag, so you earn nothing from purchases.")).toBeHidden();

  await page.goto("/account/stores");
  await field.fill("");
  await links.button("Save").click();
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await page.reload();
  await expect(field).toHaveValue("");
});

test("a store that OneLink serves makes a US tag valid on a link's page", async ({ links, page }) => {
  const url = newProduct()
    .url.replace("amazon.com", "amazon.de")
    .replace(/\?.*|$/, "?tag=me-20");
  const shortCode = await links.create(url);
  await page.goto(`/link/${shortCode}`);
  await expect(page.getByText(/earns on amazon.de only if you set up Amazon OneLink/)).toBeVisible();

  await page.getByRole("link", { name: "Choose the stores that OneLink serves" }).click();
  await expect(page).toHaveURL("/account/stores");
  await page.getByText("Show the stores of OneLink").click();
  const box = page.getByRole("checkbox", { name: german });
  await box.focus();
  await page.keyboard.press("Space");
  await links.button("Save").click();
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await expect(box).toBeChecked();
  await expect(page.getByText(/^OneLink pays your tag for amazon.com\./)).toBeVisible();

  await page.goto(`/link/${shortCode}`);
  await expect(page.getByText(/^Amazon OneLink pays this tag on amazon.de/)).toBeVisible();
});
