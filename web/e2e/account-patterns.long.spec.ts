import { closeToast, expectAccessiblePage } from "./accessible-page.ts";
import { expect, newAccount, test } from "./accounts.ts";

test("a link pattern is created, opens Amazon links and is revoked; each step is accessible", async ({
  accounts,
  page,
}) => {
  test.slow();
  await accounts.signUp(newAccount());
  await page.goto("/account/developers");
  await expect(page.getByText("You have no link patterns.")).toBeVisible();
  const focused = page.locator(":focus");

  await accounts.button("New link pattern").press("Enter");
  await expect(focused).toHaveAccessibleName("Name of the pattern");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Name is required")).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByLabel("Name of the pattern").fill("A blog about camping, hiking and cooking outdoors");
  await page.keyboard.press("Enter");
  await expect(focused).toHaveText("New link pattern");
  const item = page.getByRole("list", { name: "Link patterns" }).getByRole("listitem");
  await closeToast(page);
  await expectAccessiblePage(page);

  const prefix = (await item.locator("code").textContent()) ?? "";
  const store = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";
  const visit = () =>
    page.request.get(`${new URL(prefix).pathname}${new URL(prefix).search}${store}`, {
      maxRedirects: 0,
    });
  expect((await visit()).status()).toBeLessThan(400);
  await expect.poll(async () => (await accounts.fetchApi("/api/links")).body).toMatchObject([{ webUrl: store }]);

  await item.getByRole("button", { name: /^Revoke/ }).press("Enter");
  const dialog = page.getByRole("alertdialog");
  await expectAccessiblePage(page);
  await dialog.getByRole("button", { name: "Revoke" }).press("Enter");
  await expect(page.getByText("You have no link patterns.")).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(focused).toHaveText("New link pattern");
  expect((await visit()).status()).toBe(404);
});
