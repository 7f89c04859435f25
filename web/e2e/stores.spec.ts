import { expect, testWithOwnAccount } from "./links.ts";
import { newProduct } from "./product.ts";

const test = testWithOwnAccount();

// The fixture `links` opens the dashboard.
test.beforeEach(async ({ links: { page } }) => {
  await page.goto("/account");
  await page.getByRole("main").getByRole("link", { name: "Manage stores" }).click();
  await expect(page).toHaveURL("/account/stores");
});

const german = "amazon.de (Germany)";

test("tags are saved by keyboard, stay, and are filled in for a link", async ({ links, page }) => {
  test.slow();
  const field = page.getByRole("textbox", { name: german });
  await field.fill("me-21");
  await field.press("Enter");
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await expect(field).toBeFocused();
  await page.reload();
  await expect(field).toHaveValue("me-21");

  const [path = ""] = newProduct().url.replace("amazon.com", "amazon.de").split("?");
  await page.goto(`/link/${await links.create(path)}`);
  await links.button("Add your tag").click();
  await expect(page.getByLabel("Your Associates tag for amazon.de")).toHaveValue("me-21");

  await page.goto("/account/stores");
  await field.fill("");
  await links.button("Remove the tag for amazon.de").click();
  await expect(page.getByText("Removed.", { exact: true })).toBeVisible();
  await page.reload();
  await expect(field).toHaveValue("");
});

test("a store that OneLink serves makes a US tag valid on a link's page", async ({
  links,
  page,
}) => {
  const url = newProduct()
    .url.replace("amazon.com", "amazon.de")
    .replace(/\?.*|$/, "?tag=me-20");
  const shortCode = await links.create(url);
  await page.goto(`/link/${shortCode}`);
  await expect(
    page.getByText(/earns on amazon.de only if you set up Amazon OneLink/),
  ).toBeVisible();

  await page.getByRole("link", { name: "Choose the stores that OneLink serves" }).click();
  await expect(page).toHaveURL("/account/stores");
  const box = page.getByRole("checkbox", { name: german });
  await box.focus();
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith("/onelink-stores") && response.request().method() === "PUT",
  );
  await page.keyboard.press("Space");
  expect((await saved).status()).toBe(200);
  await expect(box).toBeChecked();
  await expect(page.getByText(/^OneLink pays your tag for amazon.com\./)).toBeVisible();

  await page.goto(`/link/${shortCode}`);
  await expect(page.getByText(/^Amazon OneLink pays this tag on amazon.de/)).toBeVisible();
});

test("another tab shows a saved tag, and a tag that is being typed stays", async ({
  page,
  context,
}) => {
  const other = await context.newPage();
  await other.goto("/account/stores");
  const britishElsewhere = other.getByRole("textbox", { name: "amazon.co.uk (United Kingdom)" });
  const germanElsewhere = other.getByRole("textbox", { name: german });
  await germanElsewhere.fill("other-21");

  await page.bringToFront();
  for (const [name, tag] of [
    ["amazon.co.uk (United Kingdom)", "uk-21"],
    [german, "me-21"],
  ] as const) {
    const field = page.getByRole("textbox", { name });
    await field.fill(tag);
    const saved = page.waitForResponse((response) => response.request().method() === "PUT");
    await field.press("Enter");
    expect((await saved).ok()).toBe(true);
    await expect(page.getByRole("button", { name: "Save the tag for" })).toHaveCount(0);
    await expect(page.getByText("Saved.", { exact: true }).first()).toBeVisible();
  }

  await other.bringToFront();
  await other.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  await expect(britishElsewhere).toHaveValue("uk-21");
  await expect(germanElsewhere).toHaveValue("other-21");
  await expect(other.getByText("Saved in another tab: me-21.")).toBeVisible();
});
