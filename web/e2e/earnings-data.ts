import type { Page } from "@playwright/test";
import { type EarningsRow, listRateChanges, listUnlinkedProducts } from "@tapthru/proto/earnings";
import type { EarningsImport } from "@tapthru/proto/earnings-imports";
import {
  earningsImport,
  earningsReport,
  earningsRow,
  earningsTable,
  figuresOf,
  until,
} from "../src/testing/earnings.ts";
import { exampleOf } from "../src/testing/examples.ts";

const sums = (currency: string, earnings: number, ordered: number) => {
  const items = { ordered, shipped: ordered - 1, returned: ordered % 7 };
  return { currency, earnings, revenue: earnings * 31, ...items };
};

const LONG_NAME =
  "Espresso machine with a milk frother and a grinder, stainless steel, for two cups at the same time, with a very long name";
const LAMPS = ["lampcod", "lampcox"].map((shortCode) => ({ shortCode, name: "Desk lamp" }));

/** All kinds of matches, in two currencies. */
const LINK_ROWS = [
  { key: "lampcod", name: "Desk lamp, red", match: "link", people: 12_345, sums: [sums("EUR", 123_456, 812)] },
  { key: "mugcode", name: LONG_NAME, match: "link", sums: [sums("EUR", 1_999, 31), sums("JPY", 50_300, 12)] },
  { name: "A lamp", links: LAMPS, match: "links", sums: [sums("EUR", 700, 3)] },
  { key: "1", name: "Instagram", match: "channel", sums: [sums("EUR", -45_005, 1)] },
  { match: "none", sums: [sums("EUR", 99, 1)] },
] as const;

function dayRow(day: number): EarningsRow {
  const [people, earnings] = [310 + 17 * day, 1_900 + 131 * day];
  const key = `2026-10-${String(day).padStart(2, "0")}`;
  return earningsRow({ key, people, sums: [sums("EUR", earnings, 12)], earnings, earningsPerClick: earnings / people });
}

const ROWS: Record<string, EarningsRow[]> = {
  link: LINK_ROWS.map((row) =>
    earningsRow({ ...row, links: [...("links" in row ? row.links : [])], sums: [...row.sums] }),
  ),
  day: Array.from({ length: 28 }, (_, index) => dayRow(index + 1)),
};

/** Replaces the replies about earnings. */
export async function serveEarnings(page: Page) {
  const totals = figuresOf({
    sums: [sums("EUR", 126_249, 848), sums("JPY", 50_300, 12)],
    currency: "EUR",
    earnings: 156_429,
    people: 16_366,
    earningsPerClick: 9.5582,
  });
  await page.route("/api/earnings?*", (route) => {
    const rows = ROWS[new URL(route.request().url()).searchParams.get("by") ?? ""] ?? [];
    const missing = { marketplace: "de", from: "2026-11-25", to: "2026-12-05" };
    const figures = {
      currency: "EUR",
      ...until("2026-11-24"),
      missing,
      ratesDay: "2026-11-23",
      totals,
      rows,
      omittedRowCount: 1_234,
    };
    return route.fulfill({ json: earningsTable(figures) });
  });
  const rates = { currency: "EUR", rates: [{ currency: "JPY", rate: 0.006 }], referenceDay: "2026-11-24" };
  await page.route("/api/earnings/rates", (route) => route.fulfill({ json: rates }));
  const [change] = exampleOf(listRateChanges).changes;
  const changes = [{ ...change, name: LONG_NAME, unchanged: LAMPS }];
  await page.route("/api/earnings/rate-changes", (route) => route.fulfill({ json: { hasRevenue: true, changes } }));
  const [product] = exampleOf(listUnlinkedProducts);
  const products = [1, 2, 3, 4, 5, 6].map((days) => ({ ...product, asin: `B0ZZ1Y2X3${days}`, name: LONG_NAME, days }));
  await page.route("/api/earnings/unlinked-products", (route) => route.fulfill({ json: products }));
}

/** Replaces the reply about imports by one with two reports, and an earlier one. @returns the first */
export async function serveEarningsImport(page: Page): Promise<EarningsImport> {
  const none = { earnings: null, revenue: null, shipped: null, returned: null };
  const shown = earningsImport({
    fileName: `reports-${"of-october-".repeat(5)}.zip`,
    reports: [
      earningsReport({ fileName: "123456-Fee-Earnings-2026-10.csv", unmatchedRowCount: 12, replacedDayCount: 30 }),
      earningsReport({
        ...none,
        fileName: "Fee-Tracking.csv",
        kind: "tracking",
        clicks: 8_123,
        replacedDayCount: 1,
        otherAccountDayCount: 2,
      }),
    ],
    ignoredFiles: ["Fee-LinkType.csv"],
  });
  const stored = earningsImport({ id: crypto.randomUUID(), state: "stored", fileName: "september.zip" });
  await page.route(/\/api\/earnings\/imports(\?|$)/, (route) => route.fulfill({ json: [shown, stored] }));
  return shown;
}
