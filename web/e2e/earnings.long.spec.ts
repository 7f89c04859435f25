import { serveEarnings } from "./earnings-data.ts";
import { expect, newProduct, testWithOwnAccount } from "./links.ts";

const test = testWithOwnAccount();

/** Fee-Earnings of yesterday: a sale of the product, and one with a tracking id that the user does not have. */
function earningsFile(asin: string) {
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const text = [
    "Category,Name,ASIN,Seller,Tracking ID,Date Shipped,Price(€),Items Shipped,Returns,Revenue(€),Ad Fees(€),Device Type Group",
    `Home,"Desk lamp, red",${asin},Amazon,me-21,${day},29.99,2,0,59.98,1.80,DESKTOP`,
    `Home,Mug,B0ZZ1Y2X3W,Amazon,other-21,${day},10.00,1,0,10.00,0.30,DESKTOP`,
  ].join("\r\n");
  return { name: "Fee-Earnings.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
}

test("a file of reports, whose page is left while it is sent, is previewed, stored, shown by link, and undone", async ({
  links,
  page,
}) => {
  const { asin } = newProduct();
  const shortCode = await links.create(`https://www.amazon.de/dp/${asin}?tag=me-21`);
  await page.goto("/earnings");
  await page.getByRole("link", { name: "Import reports" }).last().click();
  const released = Promise.withResolvers<void>();
  await page.route(/\/api\/earnings\/imports(\?|$)/, async (route) => {
    if (route.request().method() === "POST") await released.promise;
    await route.continue();
  });
  const isSent = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByLabel("Choose a ZIP, CSV or TSV file").setInputFiles(earningsFile(asin));
  await page.getByRole("banner").getByRole("link", { name: "Dashboard" }).click();
  await expect(links.search).toBeVisible();
  released.resolve();
  await isSent;
  await expect(page).toHaveURL("/dashboard");

  await page.goto("/earnings/import");
  const reports = page.getByRole("region", { name: "Reports of amazon.de (Germany)" });
  await expect(reports).toContainText("€2.10");
  await links.button("Store these figures").click();
  await page.getByRole("link", { name: "Your earnings" }).click();
  await expect(page.getByRole("definition").first()).toHaveText("€2.10");
  const rows = page.getByRole("table", { name: "What earned: Link" }).getByRole("row");
  await expect(rows.nth(1)).toHaveText(/One link.*€1\.80/);
  await expect(rows.nth(2)).toHaveText(/Not matched.*€0\.30/);
  await rows.nth(1).getByRole("link").click();
  await expect(page).toHaveURL(`/link/${shortCode}`);

  await page.goto("/earnings/import");
  await links.button("Remove Fee-Earnings.csv").click();
  await links.dialog.getByRole("button", { name: "Remove" }).click();
  await expect(links.dialog).toBeHidden();
  await page.goto("/earnings");
  await expect(page.getByText(/^In Amazon's Associates Central/)).toBeVisible();
});

test("rows fit a small phone", async ({ links, page }) => {
  await links.create();
  await serveEarnings(page);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto("/earnings");
  await expect(page.getByRole("rowheader", { name: /Desk lamp, red/ }).first()).toContainText(/ taps?, .* ordered/);
  const table = page.getByRole("region", { name: "What earned: Link" });
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});
