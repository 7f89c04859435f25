import { getImport, type ImportLine } from "@tapthru/proto/imports";
import { figuresOf } from "../src/testing/earnings.ts";
import { exampleOf, importOf } from "../src/testing/examples.ts";
import { serveManyClicks } from "./clicks-data.ts";
import { serveEarnings, serveEarningsImport } from "./earnings-data.ts";
import { expect, type Links } from "./links.ts";
import type { States } from "./states.ts";

const LINES: Partial<ImportLine>[] = [
  { shortUrl: "https://tapthru.example/l/a-name-of-thirty-characters-abc", state: "created" },
  { url: "https://amzn.to/3TapTru", state: "refused", refusal: "short-link-failed" },
  { slug: "lamp", replacement: "slug-taken" },
];

/** From the dashboard, to states of the pages of clicks, earnings and imports. */
export const FIGURE_STATES: States<Links> = {
  "the clicks of a link, with earnings": async (links) => {
    const { page } = links;
    const [shortCode, other] = [await links.create(), await links.create()];
    await serveManyClicks(page);
    const figures = figuresOf({
      sums: [{ currency: "EUR", earnings: 12_345, revenue: 0, ordered: 50, shipped: 48, returned: 2 }],
    });
    const shared = [shortCode, other].map((code) => ({ shortCode: code, name: "A lamp" }));
    const json = {
      from: "2026-10-28",
      to: "2026-11-26",
      reportedUntil: "2026-11-24",
      days: [],
      ...figures,
      people: 900,
      earningsPerClick: 13.7,
      shared: [{ key: null, name: "A lamp", links: shared, match: "links", ...figures }],
    };
    await page.route(`/api/links/${shortCode}/earnings?*`, (route) => route.fulfill({ json }));
    await page.goto(`/link/${shortCode}/clicks`);
    await expect(page.getByRole("slider")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Shared with other links" })).toBeVisible();
  },
  earnings: async (links) => {
    await serveEarnings(links.page);
    await links.page.goto("/earnings");
    await expect(links.page.getByRole("slider")).toBeVisible();
    await expect(links.page.getByLabel("1 JPY in EUR")).toBeVisible();
  },
  "reports that were read": async ({ page }) => {
    const { id } = await serveEarningsImport(page);
    await page.goto(`/earnings/import?id=${id}`);
    for (const text of [
      /12 rows have a tag that no channel/,
      "Replaces the stored figures of 30 days.",
      /2 of these days have figures of another store ID/,
    ]) {
      await expect(page.getByText(text)).toBeVisible();
    }
  },
  "an import that is finished": async ({ page }) => {
    const counts = { lines: 10_000, links: 8_999, replaced: 1, refused: 1_001, created: 4_321, retryable: 1_000 };
    const shown = importOf({
      id: crypto.randomUUID(),
      fileName: `links-${"of-the-shop-".repeat(5)}.csv`,
      format: "table",
      state: "finished",
      counts: { ...counts, lost: 0, repairable: 0 },
    });
    const [example] = exampleOf(getImport).lines;
    const plain = { slug: null, domain: null, labels: [], state: "pending", shortUrl: null };
    const lines = LINES.map((line, index) => ({ ...example, ...plain, line: index + 2, ...line }));
    await page.route("/api/imports", (route) => route.fulfill({ json: [shown] }));
    await page.route(`/api/imports/${shown.id}?*`, (route) =>
      route.fulfill({ json: { ...shown, lines, nextAfter: null } }),
    );
    await page.goto(`/import?id=${shown.id}`);
    await expect(page.getByRole("main").getByText("Try 1,000 lines again", { exact: true })).toBeVisible();
  },
};
