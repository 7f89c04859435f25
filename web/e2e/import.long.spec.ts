import { readFile } from "node:fs/promises";
import { expect, newProduct, test } from "./links.ts";

test("a file is previewed, imported after the page was left, and its result can be downloaded", async ({
  links,
  page,
}) => {
  await links.createAndList();
  await page.getByRole("link", { name: "Import links from another service" }).click();
  const code = `lamp-${newProduct().asin.toLowerCase()}`;
  const lamp = newProduct().url;
  /** A link, a code that is reserved, and a line that is not Amazon's. */
  const text = [
    "long_url,custom_bitlink,title,tags",
    `${lamp},bit.ly/${code},"Desk lamp, red",home`,
    `${newProduct().url},bit.ly/login,Chair,`,
    "https://shop.example/mug,bit.ly/mug,Mug,",
  ].join("\r\n");
  const file = { name: "bitly.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
  await page.getByLabel("Choose a CSV file").setInputFiles(file);
  await expect(page.getByText("This is an export of Bitly.")).toBeVisible();
  const lines = page.getByRole("list", { name: "Lines of the file" }).getByRole("listitem");
  await expect(lines).toHaveText([
    new RegExp(`Line 2.*Desk lamp, red.*Keeps ${code}`),
    /Line 3.*New code: login is reserved/,
    /Line 4.*Not an Amazon link\./,
  ]);
  await page.getByRole("button", { name: "Import 2 links" }).click();
  await page.reload();
  await expect(page.getByText("Done. 2 links were created.")).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download result" }).click(),
  ]);
  expect(await readFile(await download.path(), "utf8")).toContain(`2,${lamp},${code},created,,`);
  await page.getByRole("link", { name: "Your Links" }).last().click();
  await expect(page.getByRole("link", { name: /Desk lamp, red/ }).first()).toBeVisible();
});
