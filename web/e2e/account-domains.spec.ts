import { closeToast, expectAccessiblePage } from "./accessible-page.ts";
import { expect, newAccount, test } from "./accounts.ts";
import { letDomainWork } from "./domain-rows.ts";
import { newProduct } from "./product.ts";

test("a domain is added by keyboard, works, gets links and is removed; each step is accessible", async ({
  accounts,
  page,
}) => {
  test.slow();
  const id = Date.now().toString(36);
  const [host, name] = [`go-${id}.anna.example`, `mug-${id}`];
  await accounts.signUp(newAccount());
  await page.goto("/account/domains");
  await expect(page.getByText("You have no domains.")).toBeVisible();
  const focused = page.locator(":focus");

  await accounts.button("Add domain").press("Enter");
  await expect(focused).toHaveAccessibleName("Domain");
  await page.keyboard.type("co.uk");
  await page.keyboard.press("Enter");
  await expect(page.getByText("This is an ending under which others register")).toBeVisible();
  await page.getByRole("textbox", { name: "Domain" }).fill(host.toUpperCase());
  await page.keyboard.press("Enter");
  const item = page.getByRole("list", { name: "Your domains" }).getByRole("listitem").first();
  await expect(item).toContainText("Waiting for DNS");
  await expect(item.getByRole("region", { name: "The record to set" })).toContainText(/CNAME.*localhost/);
  await item.getByRole("button", { name: "Copy value" }).press("Enter");
  await expect(accounts.toast).toContainText("Copied");
  await closeToast(page);
  await expectAccessiblePage(page);

  await letDomainWork(host);
  await expect(item).toContainText(`Links open under https://${host}.`);
  await accounts.button("Use for new links").press("Enter");
  await expect(item).toContainText("New links are on this domain.");
  await accounts.button(`Change start page of ${host}`).press("Enter");
  await page.keyboard.type("https://example.com");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Please enter a valid Amazon URL")).toBeVisible();
  await focused.fill(newProduct().url);
  await page.keyboard.press("Enter");
  await expect(item).toContainText("The domain itself leads to");
  await page.getByText("More settings").click();
  await expect(page.getByRole("checkbox", { name: /HSTS/ })).not.toBeChecked();
  // The focus would go through a toast that ends meanwhile.
  await expect(accounts.toast).toHaveCount(0);
  await expectAccessiblePage(page);

  await page.goto("/link-creation");
  await accounts.button("Options").press("Enter");
  await expect(page.getByLabel("Domain of new links")).toHaveValue(host);
  await page.getByLabel("Short link name").fill(name);
  await page.getByRole("textbox", { name: "Amazon product or store link" }).fill(newProduct().url);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: `https://${host}/${name}` })).toBeVisible();
  await expect(page).toHaveURL(`/link/${name}@${host}`);
  await page.goto(`/link/${name}@${host}/settings`);
  await page.getByLabel("Domain", { exact: true }).selectOption("");
  await accounts.button("Save").press("Enter");
  await expect(page).toHaveURL(`/link/${name}/settings`);
  await page.getByLabel("Domain", { exact: true }).selectOption(host);
  await accounts.button("Save").press("Enter");
  await expect(page).toHaveURL(`/link/${name}@${host}/settings`);
  await expectAccessiblePage(page);

  await page.goto("/account/domains");
  await accounts.button(`Remove ${host}`).press("Enter");
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText(`2 links end at ${host}`);
  await expectAccessiblePage(page);
  await dialog.getByRole("button", { name: "Remove" }).press("Enter");
  await expect(page.getByText("You have no domains.")).toBeVisible();
});
