import type { Page } from "@playwright/test";
import type { EarningsRow, EarningsTable, TagArrival } from "@tapthru/proto/earnings";
import type { EarningsImport } from "@tapthru/proto/earnings-imports";
import { earningsRow, figuresOf } from "../src/testing/earnings-figures.ts";

const sums = (currency: string, earnings: number, ordered: number) => {
  const items = { ordered, shipped: ordered - 1, returned: ordered % 7 };
  return { currency, earnings, revenue: earnings * 31, ...items };
};

const LONG_NAME =
  "Espresso machine with a milk frother and a grinder, stainless steel, for two cups at the same time, with a very long name";

const ROWS: Record<string, EarningsRow[]> = {
  link: [
    earningsRow({
      ...{ key: "lampcod", name: "Desk lamp, red", match: "link", people: 12_345 },
      ...{ sums: [sums("EUR", 123_456, 812)], earnings: 123_456, earningsPerClick: 10.0005 },
    }),
    earningsRow({
      ...{ key: "mugcode", name: LONG_NAME, match: "link", people: 4_021 },
      ...{ sums: [sums("EUR", 1_999, 31), sums("JPY", 50_300, 12)], earnings: 32_179 },
      currency: "EUR",
    }),
    earningsRow({
      name: "A lamp",
      links: ["lampcod", "lampcox"].map((shortCode) => ({ shortCode, name: "Desk lamp" })),
      match: "links",
      sums: [sums("EUR", 700, 3)],
    }),
    earningsRow({ key: "1", name: "Instagram", match: "channel", sums: [sums("EUR", -45_005, 1)] }),
    earningsRow({ match: "none", sums: [sums("EUR", 99, 1)] }),
  ],
  day: Array.from({ length: 28 }, (_, index) => {
    const key = `2026-10-${String(index + 1).padStart(2, "0")}`;
    const [people, earnings] = [310 + 17 * index, 1_900 + 131 * index];
    return earningsRow({
      key,
      people,
      sums: [sums("EUR", earnings, 12)],
      earnings,
      earningsPerClick: earnings / people,
    });
  }),
};

const ARRIVALS: TagArrival[] = ["Instagram", "Blog"].map((name, index) => ({
  channelId: index,
  marketplace: "de",
  name,
  isFalling: index === 0,
  trend: index === 0 ? "falling" : "steady",
  periods: [91, 87, 94, index === 0 ? 41 : 92].map((ratio, month) => ({
    ...{ firstDay: `2026-0${month + 6}-01`, lastDay: `2026-0${month + 6}-28` },
    ...{ amazonClicks: ratio * 12, people: 1_200, isComparable: true, ratio: ratio / 100 },
  })),
}));

/** Replaces the replies about earnings by figures in two currencies, with all kinds of matches. */
export async function serveEarnings(page: Page, changes: Partial<EarningsTable> = {}) {
  const totals = figuresOf({
    ...{ sums: [sums("EUR", 126_249, 848), sums("JPY", 50_300, 12)], currency: "EUR" },
    ...{ earnings: 156_429, people: 16_366, earningsPerClick: 9.5582 },
  });
  await page.route("/api/earnings?*", (route) => {
    const by = new URL(route.request().url()).searchParams.get("by") ?? "";
    const table: EarningsTable = {
      ...{ from: "2026-10-28", to: "2026-11-26", currency: "EUR", reportedUntil: "2026-11-24" },
      totals,
      matches: (["link", "links", "channel", "none"] as const).map((match) => ({
        match,
        ...{ ...totals, people: null, earningsPerClick: null, conversion: null },
      })),
      rows: ROWS[by] ?? [],
      omittedRowCount: 1_234,
      ...changes,
    };
    return route.fulfill({ json: table });
  });
  await page.route("/api/earnings/arrivals", (route) => route.fulfill({ json: ARRIVALS }));
  await page.route("/api/earnings/rates", (route) =>
    route.fulfill({ json: { currency: "EUR", rates: [{ currency: "JPY", rate: 0.006 }] } }),
  );
}

/** Without changes: a file that is read, with two reports. */
export function earningsImport(changes: Partial<EarningsImport> = {}): EarningsImport {
  const report = {
    ...{ firstDay: "2026-10-01", lastDay: "2026-10-31", currency: "EUR", rowCount: 12_340 },
    ...{ unmatchedRowCount: 12, replacedDayCount: 0, otherAccountDayCount: 0 },
    countedDayCount: 12,
  };
  const none = { earnings: null, revenue: null, ordered: null, shipped: null, returned: null };
  return {
    id: crypto.randomUUID(),
    fileName: `reports-${"of-october-".repeat(5)}.zip`,
    ...{ state: "ready", marketplace: "de", storeId: "", question: null },
    ...{ refusal: null, createdAt: "2026-11-22T08:00:00.000Z", storedAt: null },
    reports: [
      {
        ...{ ...report, fileName: "123456-Fee-Earnings-2026-10.csv", kind: "earnings" },
        ...{ earnings: 123_456, revenue: 4_567_890, ordered: null, shipped: 812, returned: 31 },
        ...{ clicks: null, replacedDayCount: 30 },
      },
      { ...report, ...none, fileName: "Fee-Tracking.csv", kind: "tracking", clicks: 8_123 },
    ],
    ignoredFiles: ["Fee-LinkType.csv"],
    ...changes,
  };
}

/** Replaces the reply about imports. */
export async function serveEarningsImports(page: Page, imports: EarningsImport[]) {
  await page.route(/\/api\/earnings\/imports(\?|$)/, (route) => route.fulfill({ json: imports }));
}
