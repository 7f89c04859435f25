import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, test } from "./links.ts";
import { newProduct } from "./product.ts";

test("a new link gets the name that the user chooses; its field says that a name is taken; both are accessible", async ({
  links,
  page,
}) => {
  test.slow();
  const { asin, url } = newProduct();
  const taken = `lamp-${asin.toLowerCase()}`;
  const origin = new URL(page.url()).origin;
  const data = { url: newProduct().url, slug: taken };
  const response = await page.request.post("/api/links", { data, headers: { Origin: origin } });
  expect(response.status()).toBe(201);

  await page.goto("/link-creation");
  await links.button("Options").press("Enter");
  const name = page.getByLabel("Short link name");
  await expectAccessiblePage(page);
  await name.fill(taken);
  await links.field.fill(url);
  await expect(page.getByText("This short link name is taken. Please choose another.")).toBeVisible();
  await expect(name).toBeFocused();
  await expect(links.field).toHaveValue(url);
  await expectAccessiblePage(page);

  await name.fill(`${taken}-2`);
  await name.press("Enter");
  await expect(page).toHaveURL(`/link/${taken}-2`);
  await expect(links.name).toHaveText(`Stand-in product ${asin}`);
});

test("the name and the address of a link are changed; each step is accessible", async ({ links, page }) => {
  test.slow();
  const { asin } = await links.openNew();
  const { asin: newAsin, url } = newProduct();
  const renamed = `lamp-${newAsin.toLowerCase()}-of-our-summer-guide`;
  await links.button("Change destination").press("Enter");
  const destination = page.getByLabel("New Amazon link");
  await expect(destination).toHaveValue(new RegExp(`/dp/${asin}`));
  await destination.fill("https://example.com/lamp");
  await destination.press("Enter");
  await expect(destination).toHaveAttribute("aria-invalid", "true");
  await expectAccessiblePage(page);
  await destination.fill(url);
  await destination.press("Enter");
  await expect(destination).toHaveCount(0);

  await page.getByRole("link", { name: "Settings", exact: true }).press("Enter");
  await links.button("Edit short link name").press("Enter");
  const name = page.getByRole("textbox", { name: "Short link name" });
  await name.fill("Lamp!");
  await name.press("Enter");
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expectAccessiblePage(page);
  await name.fill(renamed);
  await name.press("Enter");
  await expect(page).toHaveURL(`/link/${renamed}/settings`);
  await expectAccessiblePage(page);
});

test("an expiry of which only a part was typed does not become 'never'", async ({ links, page }) => {
  await links.openNew("/settings");
  await links.button("Edit expiry").press("Enter");
  const day = page.getByLabel("Last day on which the link works");
  await day.fill("2099-05-04");
  await day.press("Enter");
  await expect(page.getByText("Expires at the end of May 4, 2099")).toBeVisible();
  await links.button("Edit expiry").press("Enter");
  await day.press("Delete");
  await day.press("Enter");
  await expect(page.getByText("Please enter a day, month and year")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Expires at the end of May 4, 2099")).toBeVisible();
});
