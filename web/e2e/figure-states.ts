import { getLink } from "@tapthru/proto/links";
import { figuresOf, until } from "../src/testing/earnings.ts";
import { exampleOf } from "../src/testing/examples.ts";
import { serveManyClicks } from "./clicks-data.ts";
import { serveEarnings, serveEarningsImport } from "./earnings-data.ts";
import { expect, type Links } from "./links.ts";
import type { States } from "./states.ts";

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
      ...until("2026-11-24"),
      missing: { marketplace: "de", from: "2026-11-25", to: "2026-12-05" },
      ...figures,
      people: 900,
      earningsPerClick: 13.7,
      shared: { earnings: 12_345, currency: "EUR", links: 1 },
      sharedRows: [{ key: null, name: "A lamp", links: shared, match: "links", ...figures }],
    };
    await page.route(`/api/links/${shortCode}/earnings?*`, (route) => route.fulfill({ json }));
    await page.goto(`/link/${shortCode}/clicks`);
    await expect(page.getByRole("slider")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Shared with other links" })).toBeVisible();
  },
  "the programs that are no person": async (links) => {
    await serveManyClicks(links.page);
    await links.page.goto("/clicks?show=bot");
    await expect(links.page.getByRole("table", { name: "Bots by program" })).toBeVisible();
    await expect(links.page.getByRole("heading", { name: "Taps that cannot pay" })).toBeVisible();
  },
  earnings: async (links) => {
    await serveEarnings(links.page);
    await links.page.goto("/earnings");
    await expect(links.page.getByRole("slider", { name: "Taps by day" })).toBeVisible();
    await links.page.getByText("Use another currency or rate").click();
    await expect(links.page.getByLabel("1 JPY in EUR")).toBeVisible();
    await expect(links.page.getByText(/pays 2% instead of 4%/)).toBeVisible();
    await links.page.getByRole("button", { name: "Show all 6" }).click();
    await expect(links.page.getByRole("button", { name: /^Create link to / })).toHaveCount(6);
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
    const shown = page.getByRole("main");
    await page.route("/api/links/bulk/known", (route) => {
      const { links } = route.request().postDataJSON();
      const results = links.map(({ url: webUrl }: { url: string }) => ({ webUrl, isSlugUsed: false, slugLink: null }));
      return route.fulfill({ json: { results, links: [] } });
    });
    await page.route("/api/links/bulk", (route) => {
      const { links } = route.request().postDataJSON();
      const link = { ...exampleOf(getLink), shortUrl: "https://tapthru.example/l/a-name-of-thirty-characters-abc" };
      const failed = { status: 502, code: "short-link-failed", message: "Failed." };
      const results = links.map(({ unlessKnown }: { unlessKnown?: boolean }) =>
        unlessKnown ? failed : { status: 201, link },
      );
      return route.fulfill({ json: { results } });
    });
    await page.goto("/import");
    const lines = [
      "url,slug",
      "https://www.amazon.com/dp/B0CX23V2ZK,lamp",
      "https://amzn.to/3TapTru,",
      "https://shop.example,",
    ];
    const name = `links-${"of-the-shop-".repeat(5)}.csv`;
    await page
      .getByLabel("Choose a CSV file")
      .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(lines.join("\n")) });
    await shown.getByRole("button", { name: "Import 2 links" }).click();
    await expect(shown.getByText("Try 1 line again", { exact: true })).toBeVisible();
  },
};
