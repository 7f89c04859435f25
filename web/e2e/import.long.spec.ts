import { readFile } from "node:fs/promises";
import { expect, newProduct, test } from "./links.ts";

test("an import of a file continues after a reload, and its result can be downloaded", async ({ links, page }) => {
  await links.createAndList();
  await page.getByRole("banner").getByRole("link", { name: "Import" }).click();
  const code = `lamp-${newProduct().asin.toLowerCase()}`;
  const lamp = newProduct().url;
  const chairs = Array.from({ length: 120 }, () => `${newProduct().url},,Chair,`);
  /** A link, a code that is reserved, a line that is not Amazon's, and more than one request takes. */
  const text = [
    "long_url,custom_bitlink,title,tags",
    `${lamp},bit.ly/${code},"Desk lamp, red",home`,
    `${newProduct().url},bit.ly/login,Chair,`,
    "https://shop.example/mug,bit.ly/mug,Mug,",
    ...chairs,
  ].join("\r\n");
  const file = { name: "bitly.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
  const choose = () => page.getByLabel("Choose a CSV file").setInputFiles(file);
  await choose();
  const lines = page.getByRole("list", { name: "Lines of the file" }).getByRole("listitem");
  await expect(lines.first()).toHaveText(new RegExp(`Line 2.*Desk lamp, red.*Keeps ${code}`));
  await expect(lines.nth(1)).toHaveText(/Line 3.*New code: login is reserved/);
  await expect(lines.nth(2)).toHaveText(/Line 4.*Not an Amazon link\./);

  // The second request is lost.
  let requests = 0;
  await page.route("/api/links/bulk", (route) => (++requests === 2 ? route.abort() : route.continue()));
  await page.getByRole("button", { name: "Import 122 links" }).click();
  await expect(page.getByText(/^The connection was lost\./)).toBeVisible();
  page.once("dialog", (dialog) => dialog.accept());
  await page.reload();
  await choose();
  await expect(page.getByRole("radio", { name: "You have (100)" })).toBeVisible();
  await page.getByRole("button", { name: "Import 22 links" }).click();
  await expect(page.getByText("Done. 22 links were created.")).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download result" }).click(),
  ]);
  expect(await readFile(await download.path(), "utf8")).toContain(`2,${lamp},${code},already there,`);
  await page.getByRole("link", { name: "Your Links" }).last().click();
  await expect(page.getByRole("link", { name: /Chair/ }).first()).toBeVisible();
});

test("a file that two tabs import at once creates each of its links once, and both say so", async ({ links, page }) => {
  await links.createAndList();
  const countLinks = async () => (await (await page.request.get("/api/link-count")).json()).count;
  const before = await countLinks();
  const tabs = [page, await page.context().newPage()];
  const text = ["url,slug", ...Array.from({ length: 250 }, newProduct).map(({ url, asin }) => `${url},two-${asin}`)];
  const file = { name: "tabs.csv", mimeType: "text/csv", buffer: Buffer.from(text.join("\n")) };
  for (const tab of tabs) {
    await tab.goto("/import");
    await tab.getByLabel("Choose a CSV file").setInputFiles(file);
    await expect(tab.getByText("250 links will be created. Nothing has happened yet.")).toBeVisible();
  }
  await Promise.all(tabs.map((tab) => tab.getByRole("button", { name: "Import 250 links" }).click()));
  const results = await Promise.all(
    tabs.map(async (tab) => {
      await expect(tab.getByText("Done. 250 links were created.")).toBeVisible({ timeout: 60_000 });
      const [download] = await Promise.all([
        tab.waitForEvent("download"),
        tab.getByRole("button", { name: "Download result" }).click(),
      ]);
      return readFile(await download.path(), "utf8");
    }),
  );
  expect(results[0]).toContain(",created,");
  expect(results[1]).toBe(results[0]);
  expect(await countLinks()).toBe(before + 250);
});
