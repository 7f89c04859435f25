import { figuresOf } from "../src/testing/earnings-figures.ts";
import { expectAccessiblePage } from "./accessible-page.ts";
import { serveManyClicks } from "./clicks-data.ts";
import { earningsImport, serveEarnings, serveEarningsImports } from "./earnings-data.ts";
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

test("the page of earnings is accessible at each size, in each theme and by keyboard", async ({ links, page }) => {
  test.slow();
  await links.create();
  await serveEarnings(page);
  await page.goto("/earnings");
  await expect(page.getByRole("slider")).toBeVisible();
  await expect(page.getByText("What to check:")).toBeVisible();
  await expect(page.getByLabel("1 JPY in EUR")).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByText("Day", { exact: true }).click();
  await expect(page.getByRole("rowheader", { name: "Oct 28, 2026" })).toBeVisible();
  await expectAccessiblePage(page);
});

test("names of rows stay while the numbers scroll on a small phone", async ({ links, page }) => {
  await links.create();
  await serveEarnings(page);
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto("/earnings");
  const name = page.getByRole("rowheader", { name: /Desk lamp, red/ }).first();
  const before = await name.boundingBox();
  await page.getByRole("button", { name: "Returned" }).scrollIntoViewIfNeeded();
  await expect(page.getByRole("button", { name: "Returned" })).toBeInViewport();
  expect((await name.boundingBox())?.x).toBe(before?.x);
});

test("the import of reports is accessible in each of its states", async ({ links, page }) => {
  test.slow();
  await links.create();
  const stored = earningsImport({ state: "stored", fileName: "september.zip" });
  const line = { fileName: "Fee-Orders.csv", line: 1_234, text: "32.13.26" };
  for (const shown of [
    earningsImport(),
    earningsImport({ state: "question", question: "marketplace", marketplace: null }),
    earningsImport({ state: "question", question: "date-order" }),
    earningsImport({ state: "refused", refusal: { reason: "unclear-date", ...line } }),
  ]) {
    await serveEarningsImports(page, [shown, stored]);
    await page.goto(`/earnings/import?id=${shown.id}`);
    await expect(page.getByRole("heading", { name: shown.fileName ?? "" })).toBeVisible();
    await expectAccessiblePage(page);
  }
});

test("the clicks of a link with earnings are accessible", async ({ links, page }) => {
  test.slow();
  const shortCode = await links.create();
  await serveManyClicks(page);
  const sums = [{ currency: "EUR", earnings: 12_345, revenue: 0, ordered: 50, shipped: 48, returned: 2 }];
  const figures = figuresOf({ sums });
  const shared = [shortCode, await links.create()].map((code) => ({ shortCode: code, name: "A lamp" }));
  await page.route(`/api/links/${shortCode}/earnings?*`, (route) =>
    route.fulfill({
      json: {
        ...{ from: "2026-10-28", to: "2026-11-26", reportedUntil: "2026-11-24" },
        ...{ ...figures, people: 900, earningsPerClick: 13.7 },
        shared: [{ key: null, name: "A lamp", links: shared, match: "links", ...figures }],
        days: [],
      },
    }),
  );
  await page.goto(`/link/${shortCode}/clicks`);
  await expect(page.getByRole("heading", { name: "Shared with other links" })).toBeVisible();
  await expectAccessiblePage(page);
});

test("a file of reports is read, previewed, stored, shown by link, and undone", async ({ links, page }) => {
  test.slow();
  const { asin } = newProduct();
  const shortCode = await links.create(`https://www.amazon.de/dp/${asin}?tag=me-21`);
  await page.goto("/earnings");
  await expect(page.getByText(/^In Amazon's Associates Central/)).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole("link", { name: "Import reports" }).last().click();
  await page.getByLabel("Choose a ZIP, CSV or TSV file").setInputFiles(earningsFile(asin));
  const reports = page.getByRole("region", { name: "Reports of amazon.de (Germany)" });
  await expect(reports).toContainText("€2.10");
  await expect(reports).toContainText("1 row has a tracking ID that no channel or link of yours has.");
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

test("the demo account sees three months of reports, and a channel whose clicks stopped arriving", async ({
  links,
  page,
}) => {
  test.slow();
  await links.button("Log out").click();
  await expect(page).toHaveURL("/");
  await page.goto("/login");
  await page.getByLabel("Email", { exact: true }).fill("demo@tapthru.example");
  await page.getByLabel("Password", { exact: true }).fill("tapthru-demo");
  await links.button("Login").click();
  await expect(links.button("Create link")).toBeVisible();
  await page.goto("/earnings?period=90d");
  const rows = page.getByRole("table", { name: "What earned: Link" }).getByRole("row");
  for (const match of ["One link", "Several links", "Channel only"]) {
    await expect(rows.filter({ hasText: match }).first()).toBeVisible();
  }
  await expect(page.getByText("Falling", { exact: true })).toHaveCount(1);
  await page.getByText("Channel", { exact: true }).click();
  const channels = page.getByRole("table", { name: "What earned: Channel" });
  await expect(channels.getByRole("rowheader", { name: "YouTube" })).toBeVisible();
});
