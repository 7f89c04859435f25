import { expectAccessiblePage } from "./accessible-page.ts";
import { serveManyClicks } from "./clicks-data.ts";
import { earningsImport, serveEarnings, serveEarningsImports } from "./earnings-data.ts";
import { expect, test } from "./links.ts";

test("the page of earnings is accessible without reports", async ({ links, page }) => {
  test.slow();
  await links.create();
  await page.goto("/earnings");
  await expect(page.getByText(/^In Amazon's Associates Central/)).toBeVisible();
  await expectAccessiblePage(page);
});

test("the page of earnings is accessible at each size, in each theme and by keyboard", async ({
  links,
  page,
}) => {
  test.slow();
  await links.create();
  await serveEarnings(page);
  await page.goto("/earnings");
  await expect(page.getByText("What to check:")).toBeVisible();
  await expect(page.getByLabel("1 JPY in EUR")).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByText("Day", { exact: true }).click();
  await expect(page.getByRole("rowheader", { name: "Oct 28, 2026" })).toBeVisible();
  await expectAccessiblePage(page);
});

test("the import of reports is accessible in each of its states", async ({ links, page }) => {
  test.slow();
  await links.create();
  const connection = { marketplace: "de", storeId: "me-21", clientId: "amzn1.client.abc" } as const;
  const failed = {
    version: "3.2",
    fetchedAt: "2026-11-22T08:00:00.000Z",
    error: "refused",
  } as const;
  await serveEarningsImports(page, [], [{ ...connection, ...failed }]);
  await page.goto("/earnings/import");
  await page.getByRole("button", { name: "Connect a store" }).click();
  await expect(page.getByLabel("Credential ID")).toBeVisible();
  await expectAccessiblePage(page);

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
  const sums = [
    { currency: "EUR", earnings: 12_345, revenue: 0, ordered: 50, shipped: 48, returned: 2 },
  ];
  const figures = { sums, earnings: 12_345, people: null, earningsPerClick: null };
  const codes = [shortCode, await links.create()];
  await page.route(`/api/links/${shortCode}/earnings?*`, (route) =>
    route.fulfill({
      json: {
        ...{ from: "2026-10-28", to: "2026-11-26", currency: "EUR", reportedUntil: "2026-11-24" },
        ...{ ...figures, people: 900, earningsPerClick: 13.7 },
        shared: [{ key: null, name: "A lamp", links: codes, match: "links", ...figures }],
        days: [],
      },
    }),
  );
  await page.goto(`/link/${shortCode}/clicks`);
  await expect(page.getByRole("heading", { name: "Shared with other links" })).toBeVisible();
  await expectAccessiblePage(page);
});
