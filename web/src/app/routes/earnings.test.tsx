import { type EarningsTable, listRateChanges } from "@tapthru/proto/earnings";
import { IDEMPOTENCY_KEY_PATTERN } from "@tapthru/proto/generate";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { catchFiles } from "../../testing/catch-files.ts";
import { choose, click, field, fill, link, rowsOf, section } from "../../testing/controls.ts";
import {
  earningsImport,
  earningsReport,
  earningsRow,
  earningsTable,
  figuresOf,
  linkEarnings,
  sumsIn,
  until,
} from "../../testing/earnings.ts";
import { exampleOf, mainChannel } from "../../testing/examples.ts";
import { shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, heldReplies, serve, serveChannels } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";

const named = (shortCode: string) => ({ shortCode, name: `My ${shortCode}` });
const LAMP = { sums: [sumsIn("EUR", 12_345, 50, 2)] };
const PER_TAP = { ...LAMP, people: 1_000, earningsPerClick: 12.345 };
const EUROS: Partial<EarningsTable> = {
  currency: "EUR",
  ...until("2026-11-24"),
  totals: figuresOf(PER_TAP),
  rows: [
    earningsRow({ key: "lampcod", name: "My lamp", match: "link", ...PER_TAP }),
    earningsRow({ links: ["mugcode", "cupcode"].map(named), match: "links", sums: [sumsIn("EUR", 700, 3)] }),
    earningsRow({ match: "none", sums: [sumsIn("EUR", 99)] }),
  ],
};
/** The text of the chart. */
const DAILY: Partial<EarningsTable> = {
  from: "2026-11-01",
  to: "2026-11-03",
  rows: [
    earningsRow({ key: "2026-11-01", people: 40, sums: [sumsIn("EUR", 5_000)] }),
    earningsRow({ key: "2026-11-03", people: 20, sums: [sumsIn("EUR", -100)] }),
  ],
};

const BEFORE: EarningsTable["before"] = {
  from: "2026-10-01",
  to: "2026-10-03",
  totals: figuresOf({ sums: [sumsIn("EUR", 10_000, 100)], people: 500 }),
  rows: [earningsRow({ key: "2026-10-01", sums: [sumsIn("EUR", 4_000)] })],
};

let requests: URLSearchParams[];

beforeEach(() => {
  requests = [];
  serve("GET /api/earnings/rate-changes", () => ({ hasRevenue: true, changes: [] }));
  serve("GET /api/earnings/rates", () => ({ currency: null, rates: [], referenceDay: null }));
  serve("GET /api/links/lampcod", () => shortLink({ shortCode: "lampcod" }));
});

/** Opens the page with these earnings. */
async function open(changes: Partial<EarningsTable>, search = "") {
  serveEarnings(changes);
  await renderPages(`/earnings${search}`);
}

function serveEarnings(changes: Partial<EarningsTable>) {
  serve("GET /api/earnings", ({ query, headers }) => {
    if (query.has("limit")) return earningsTable({ ...changes, ...DAILY, before: BEFORE });
    requests.push(query);
    const isCsv = headers.get("Accept")?.startsWith("text/csv");
    return isCsv ? new HttpResponse("key\r\n", { headers: { "Content-Type": "text/csv" } }) : earningsTable(changes);
  });
}

/** The totals of these names. */
async function totals(...names: string[]) {
  await screen.findByText(names[0] ?? "", { selector: "dt" });
  return names.map((name) => screen.getByText(name, { selector: "dt" }).nextElementSibling?.textContent);
}
const lastRequest = (name: string, value: string) => waitFor(() => expect(requests.at(-1)?.get(name)).toBe(value));

describe("the figures", () => {
  test("shows totals in the currency of the store, and how each row was matched, without dividing groups", async () => {
    await open(EUROS);
    const names = ["Earnings", "Per tap", "Taps", "Ordered", "Ordered per tap", "Returned"];
    expect(await totals(...names)).toEqual(["€123.45", "€0.123", "1,000", "50", "5.0%", "2"]);
    expect(screen.getByText(/^Oct 28.*Nov 24, what Amazon has reported$/)).toBeTruthy();
    await link("My cupcode");
    expect(await rowsOf("What earned: Link", " | ")).toEqual([
      "Link | Earnings | Per tap | Taps | Ordered | Ordered per tap | Returned",
      "My lampOne link1,000 taps, 50 ordered | €123.45 | €0.123 | 1,000 | 50 | 5.0% | 2",
      "My mugcodeMy cupcodeSeveral links | €7.00 | –Not known | –Not known | 3 | –Not known | 0",
      "No link or channelNot matched: Add your tags | €0.99 | –Not known | –Not known | 0 | –Not known | 0",
    ]);
    expect((await link("My lamp")).getAttribute("href")).toBe("/link/lampcod");
    expect((await link("Add your tags")).getAttribute("href")).toBe("/account/stores");
  });

  test("figures of several currencies have no sum without rates", async () => {
    const sums = [sumsIn("EUR", 12_345), sumsIn("JPY", 500)];
    await open({ ...EUROS, currency: null, totals: figuresOf({ sums }) });
    expect(await totals("Earnings", "Per tap")).toEqual(["€123.45¥500", "–Not known"]);
    expect(screen.getByText(/^Several currencies can't be added up/)).toBeTruthy();
    await click("Give them below");
    expect(document.activeElement).toBe(field("Your currency"));
  });

  test("figures of several currencies have a chart for each", async () => {
    const sums = [sumsIn("EUR", 12_345), sumsIn("JPY", 500)];
    const totals = figuresOf({ sums });
    const rows = [
      earningsRow({ key: "2026-11-01", sums }),
      earningsRow({ key: "2026-11-02", sums: [sumsIn("JPY", 70)] }),
    ];
    serve("GET /api/earnings", ({ query }) =>
      earningsTable({
        ...EUROS,
        from: "2026-11-01",
        to: "2026-11-02",
        currency: null,
        totals,
        rows: query.has("limit") ? rows : [],
      }),
    );
    await renderPages("/earnings?period=custom&from=2026-11-01&to=2026-11-02");
    const shown = async () =>
      (await screen.findByRole("slider", { name: "Earnings by day" })).getAttribute("aria-valuetext");
    expect(await shown()).toBe("Mon, Nov 2: Not known");
    await choose("Currency", "In JPY");
    expect(await shown()).toMatch(/^Mon, Nov 2: ¥70/);
    expect(screen.getByText("Highest: ¥500 (Sun, Nov 1)")).toBeTruthy();
  });

  test("a currency without a rate leaves each currency in its own chart, and opens the form of rates", async () => {
    serve("GET /api/earnings/rates", () => ({ currency: null, rates: [], referenceDay: "2026-11-20" }));
    const sums = [sumsIn("AED", 900), sumsIn("EUR", 12_345)];
    const totals = figuresOf({ sums, currency: "EUR", earnings: null });
    const rows = [
      earningsRow({ key: "2026-11-01", ...totals }),
      earningsRow({ key: "2026-11-03", sums: [sumsIn("AED", 700)] }),
    ];
    serve("GET /api/earnings", ({ query }) =>
      earningsTable({ ...EUROS, ...DAILY, totals, rows: query.has("limit") ? rows : [] }),
    );
    await renderPages("/earnings?period=custom&from=2026-11-01&to=2026-11-03&interval=month");
    const shown = async () =>
      (await screen.findByRole("slider", { name: "Earnings by month" })).getAttribute("aria-valuetext");
    expect(await shown()).toMatch(/AED\s16\.00/);
    await choose("Currency", "In EUR");
    expect(await shown()).toMatch(/€123\.45/);
    await click("Give them below");
    expect(document.activeElement).toBe(field("Your currency"));
    expect(document.activeElement?.closest("details")?.open).toBe(true);
  });

  test("old figures say which month to import", async () => {
    await open({ ...EUROS, missing: { marketplace: "de", from: "2026-10-05", to: "2026-11-26" } });
    const [first] = await screen.findAllByRole("link", { name: "Import October" });
    expect(first?.getAttribute("href")).toBe("/earnings/import");
    expect(first?.parentElement?.textContent).toMatch(
      /^The reports of amazon.de lack Oct 5.*Nov 26.*\. Import October$/,
    );
  });

  test("converted figures name the day of the reference rates, beside the form and below the table", async () => {
    serve("GET /api/earnings/rates", () => ({ currency: null, rates: [], referenceDay: "2026-11-20" }));
    const sums = [sumsIn("EUR", 12_345), sumsIn("JPY", 500)];
    const sum = figuresOf({ sums, currency: "EUR", earnings: 12_645 });
    const rows = [earningsRow({ key: "lampcod", match: "link", ...sum })];
    await open({ ...EUROS, ratesDay: "2026-11-20", totals: sum, rows });
    expect(await screen.findByText(/what Amazon has reported, at the rates of Nov 20$/)).toBeTruthy();
    expect(screen.getByText(/converted above with the European Central Bank's rates of Nov 20, or yours/)).toBeTruthy();
    expect(await screen.findByText(/reference rates of the European Central Bank of Nov 20/)).toBeTruthy();
  });

  test("adds figures of several currencies up with the user's rates, before the amounts of each", async () => {
    const sums = [sumsIn("EUR", 12_345), sumsIn("JPY", 500)];
    const sum = figuresOf({ sums, currency: "EUR", earnings: 12_645 });
    await open({ ...EUROS, totals: sum, rows: [earningsRow({ key: "lampcod", match: "link", ...sum })] });
    expect(await totals("Earnings")).toEqual(["€126.45from €123.45and ¥500"]);
    expect((await rowsOf("What earned: Link", " | "))[1]).toContain("| €126.45from €123.45and ¥500 |");
    expect(screen.getByText(/^The small amounts are from the reports/)).toBeTruthy();
  });

  test("does not show figures that no report has as zero", async () => {
    const sums = [{ ...sumsIn("EUR", 12_345), ordered: null }];
    await open({ ...EUROS, totals: figuresOf({ sums, ordered: null, people: 1_000, conversion: null }) });
    const missing = "–Not in the imported reports";
    const names = ["Earnings", "Ordered", "Ordered per tap", "Per tap", "Returned"];
    expect(await totals(...names)).toEqual(["€123.45", missing, missing, "–Not known", "0"]);
  });

  test("shows a chart, which arrow keys read out", async () => {
    await open(EUROS);
    const slider = await screen.findByRole("slider", { name: "Earnings by day" });
    expect(slider.getAttribute("aria-valuetext")).toBe("Tue, Nov 3: -€1.00");
    expect(screen.getByText("Highest: €50.00 (Sun, Nov 1)")).toBeTruthy();
    fireEvent.change(slider, { target: { value: "1" } });
    expect(slider.getAttribute("aria-valuetext")).toBe("Mon, Nov 2: Not known");
    fireEvent.change(slider, { target: { value: "0" } });
    expect(slider.getAttribute("aria-valuetext")).toBe("Sun, Nov 1: €50.00, Thu, Oct 1: €40.00 (+25%)");
  });

  test("shows a chart by day, week or month, of all channels or one, with the taps beside it", async () => {
    serveChannels(mainChannel({ id: 3 }), mainChannel({ id: 7, name: "Blog", isDefault: false }));
    const asked: (string | null)[] = [];
    serve("GET /api/earnings", ({ query }) => {
      if (!query.has("limit")) return earningsTable(EUROS);
      asked.push(query.get("channel"));
      return earningsTable({ ...EUROS, ...DAILY });
    });
    await renderPages("/earnings?period=custom&from=2026-11-01&to=2026-11-03");
    const shown = async (name: string) =>
      (await screen.findByRole("slider", { name })).getAttribute("aria-valuetext")?.split(",").slice(0, 3).join();
    expect(await shown("Taps by day")).toMatch(/^Tue, Nov 3: 20/);
    await choose("Bars", "By month");
    expect(await shown("Earnings by month")).toMatch(/^November 2026: €49.00/);
    expect(await shown("Taps by month")).toMatch(/^November 2026: 60/);
    await choose("Bars", "By week");
    expect(await shown("Earnings by week")).toMatch(/^Week from Nov 2, 2026: -€1.00/);
    expect(asked.every((channel) => channel === null)).toBe(true);
    await choose("Channel", "Blog");
    await waitFor(() => expect(asked.at(-1)).toBe("7"));
  });
});

test.each([
  [
    "2026-11-28 all",
    { reportedUntil: "2026-11-28" },
    ["com 2026-11-28", "de 2026-11-28"],
    /^Nov 1.*28, what Amazon has reported$/,
  ],
  [
    "two stores",
    {},
    ["com 2026-11-29", "de 2026-11-28"],
    /^Nov 1.*29, amazon\.com until Nov 29, amazon\.de until Nov 28$/,
  ],
  [
    "three stores",
    {},
    ["com 2026-11-29", "de 2026-11-28", "co.uk 2026-11-28"],
    /^Nov 1.*29, amazon\.com until Nov 29, others Nov 28$/,
  ],
  ["earlier orders", {}, ["com 2026-11-28 2026-11-20"], /^Nov 1.*28, what Amazon has reported, orders until Nov 20$/],
  ["an earlier end", { to: "2026-11-29" }, ["de 2026-11-20"], /^Nov 1.*29, until Nov 20$/],
])("the head of the card says of which days the figures are: %s", async (_, changes, reported, expected) => {
  const stores = reported.map((each) => {
    const [marketplace = "", earningsUntil = "", ordersUntil = earningsUntil] = each.split(" ");
    return { marketplace, earningsUntil, ordersUntil };
  });
  const to =
    stores
      .map(({ earningsUntil }) => earningsUntil)
      .sort()
      .at(-1) ?? "";
  await open({ ...EUROS, from: "2026-11-01", to, stores, ...changes });
  await totals("Earnings");
  expect(screen.getAllByText(expected)).toHaveLength(1);
});

describe("the days that are asked for", () => {
  const asked = async (search: string) => {
    serve("GET /api/earnings", ({ query }) => {
      if (!query.has("limit")) requests.push(query);
      return earningsTable({ ...EUROS, ...until("2025-09-29"), from: "2025-09-01" });
    });
    await renderPages(`/earnings${search}`);
    await totals("Earnings");
    const { by: _, sort: _sort, ...days } = Object.fromEntries(requests.at(-1) ?? []);
    return days;
  };

  test.each([
    ["", { from: "2025-09-01", to: "2025-09-30", against: "month" }],
    ["?period=30d", { to: "reported", days: "30", against: "days" }],
    ["?period=7d&against=year", { to: "reported", days: "7", against: "year" }],
    ["?period=custom&from=2026-06-01&to=2026-06-30", { from: "2026-06-01", to: "2026-06-30", against: "days" }],
    [
      "?period=custom&from=2025-10-01&to=2025-10-31&against=custom&since=2025-12-24&until=2025-12-26",
      { from: "2025-10-01", to: "2025-10-31", since: "2025-12-24", until: "2025-12-26" },
    ],
  ])("%s asks for %j", async (search, expected) => {
    expect(await asked(search)).toEqual(expected);
  });

  test("of a month are compared with the month before", async () => {
    expect(await asked("?period=last-month")).toMatchObject({ against: "month" });
  });
});

describe("what the period is compared with", () => {
  beforeEach(async () => {
    serve("GET /api/earnings", ({ query }) => {
      const isFailing = (query.get("from") ?? "2026") < "2025-01-01";
      return isFailing ? failure(500) : earningsTable({ ...EUROS, before: BEFORE });
    });
    await renderPages("/earnings?period=custom&from=2025-10-01&to=2025-10-31");
  });

  test("is named in the head of the card, beside the change of each figure", async () => {
    expect(await screen.findByText(/^Oct 28.*Nov 24, what Amazon has reported, against Oct 1.*3$/)).toBeTruthy();
    expect(screen.getByText("Earnings", { selector: "dt" }).parentElement?.textContent).toMatch(
      /▲ \+23% · before €100.00$/,
    );
  });

  test("stays on screen, as the period, while what it chose cannot be loaded", async () => {
    await choose("Compared with", "Year before");
    fireEvent.change(await screen.findByLabelText("First day"), { target: { value: "2024-10-01" } });
    await click("Show");
    await screen.findAllByText("The earnings could not be loaded.");
    expect(screen.getByRole("combobox", { name: "Period" })).toHaveProperty("value", "custom");
    expect(screen.getByRole("combobox", { name: "Compared with" })).toHaveProperty("value", "year");
  });
});

describe("the table", () => {
  test("requests the table by group, order and whole days, which stay in the URL", async () => {
    await open(EUROS, "?period=custom&from=2026-11-01&to=2026-11-03");
    await screen.findByRole("table", { name: "What earned: Link" });
    const days = { from: "2026-11-01", to: "2026-11-03" };
    expect(Object.fromEntries(requests[0] ?? [])).toEqual({ ...days, against: "days", by: "link", sort: "earnings" });
    const sorted = () =>
      screen.getAllByRole("columnheader").find((each) => each.getAttribute("aria-sort") === "descending")?.textContent;
    expect(sorted()).toBe("Earnings");
    await click("Per tap");
    await lastRequest("sort", "earnings-per-click");
    expect(sorted()).toBe("Per tap");
    serveEarnings({ ...EUROS, rows: [] });
    await choose("By", "Day");
    await lastRequest("by", "day");
    expect(Object.fromEntries(requests.at(-1) ?? [])).toEqual({ ...days, against: "days", by: "day", sort: "key" });
  });

  test.each([
    ["store", { key: "de" }, "amazon.de (Germany)", "?store=de"],
    ["day", { key: "2026-11-03" }, "Nov 3, 2026", null],
    ["product", { key: "B0ZZ1Y2X3W", name: "A lamp" }, "A lampB0ZZ1Y2X3W", "?q=B0ZZ1Y2X3W"],
    ["channel", { key: "7", name: "Blog" }, "Blog", "?channel=7"],
    ["label", { key: "3", name: "Home" }, "Home", "?label=3"],
    ["label", {}, "Without a label", null],
  ])("names a %s, and leads to its links", async (by, row, name, search) => {
    await open({ ...EUROS, rows: [earningsRow({ ...row, ...LAMP })] }, `?by=${by}`);
    const header = within(await screen.findByRole("table", { name: /^What earned/ })).getByRole("rowheader");
    expect(header.textContent).toBe(name);
    const path = within(header).queryByRole("link")?.getAttribute("href") ?? null;
    expect(path).toBe(search && `/dashboard${search}`);
  });

  test("shows ten rows, and all after a click", async () => {
    const rows = Array.from({ length: 11 }, (_, index) => earningsRow({ key: `code${index}`, match: "link", ...LAMP }));
    await open({ ...EUROS, rows });
    expect(await rowsOf("What earned: Link")).toHaveLength(11);
    await click("Show all 11");
    expect(await rowsOf("What earned: Link")).toHaveLength(12);
  });

  test("says that currencies have orders of their own, and how many rows are in the file only", async () => {
    const dollars = earningsRow({ key: "mugcode", match: "link", sums: [sumsIn("USD", 99_999)] });
    await open({ ...EUROS, currency: null, rows: [...(EUROS.rows ?? []), dollars], omittedRowCount: 1_234 });
    expect(await screen.findByText("Each currency is sorted separately.")).toBeTruthy();
    expect(screen.getByText(/^1,234 more rows are in the CSV file/)).toBeTruthy();
  });

  test("downloads the table as CSV in the same order", async () => {
    const files = catchFiles();
    await open(EUROS, "?by=product&sort=people");
    const ofTable = await section("What earned");
    await userEvent.click(await ofTable.findByRole("button", { name: "Download CSV" }));
    await waitFor(() => expect(files).toHaveLength(1));
    expect(requests[1]).toEqual(requests[0]);
    expect(files[0]?.name).toMatch(/^earnings-product-\d{4}-\d\d-\d\d\.csv$/);
  });
});

describe("what sells without a link", () => {
  const PRODUCT = { marketplace: "de", asin: "B0ZZ1Y2X3W", name: "Kettle", channelId: 7, sold: 14, days: 9 };

  test("lists the product with a button that makes the link with the channel's tag, and then removes it", async () => {
    serveChannels(mainChannel({ id: 3 }), mainChannel({ id: 7, name: "Blog", isDefault: false }));
    const untagged = { ...PRODUCT, marketplace: "fr" };
    serve("GET /api/earnings/unlinked-products", () => [PRODUCT, untagged].slice(made.length));
    const made = serve("POST /api/links", ({ body }) => {
      const isUntagged = JSON.stringify(body).includes("amazon.fr");
      return shortLink({ shortCode: "kettle2", tagSource: isUntagged ? "own" : "channel" });
    });
    await open(EUROS);
    expect((await rowsOf("Sells without a link"))[1]).toContain(
      "Kettlesold 14 times on 9 days through Blog on amazon.de",
    );
    await click("Create link to Kettle (B0ZZ1Y2X3W) on amazon.de");
    await findToast("leads to it, with the tag of the channel.");
    expect(made).toEqual([{ url: "https://www.amazon.de/dp/B0ZZ1Y2X3W", channelId: 7, usesChannelTag: true }]);
    await waitFor(() => expect(screen.getAllByText("Kettle")).toHaveLength(1));
    await click("Create link to Kettle (B0ZZ1Y2X3W) on amazon.fr");
    await findToast("leads to it, without a tag: its channel has none in this store.");
    await waitFor(() => expect(screen.queryByText("Sells without a link")).toBeNull());
  });

  test("removes the product before the reply, shows it again after a failure, and sends the same key then", async () => {
    const { released, release } = heldReplies();
    serve("GET /api/earnings/unlinked-products", () => [PRODUCT, { ...PRODUCT, name: "Mug", asin: "B0CX23V2ZK" }]);
    const keys: (string | null)[] = [];
    serve("POST /api/links", async ({ headers }) => {
      keys.push(headers.get("Idempotency-Key"));
      await released;
      return HttpResponse.error();
    });
    await open(EUROS);
    await click("Create link to Kettle (B0ZZ1Y2X3W) on amazon.de");
    await waitFor(() => expect(screen.queryByText("Kettle")).toBeNull());
    expect(screen.getByText("Mug")).toBeTruthy();
    release();
    await findToast("Error");
    await click("Create link to Kettle (B0ZZ1Y2X3W) on amazon.de");
    await waitFor(() => expect(keys).toHaveLength(2));
    expect(keys[0]).toMatch(IDEMPOTENCY_KEY_PATTERN);
    expect(keys[1]).toBe(keys[0]);
  });
});

describe("changed commission", () => {
  const CHANGE = {
    ...exampleOf(listRateChanges).changes[0],
    ...{ level: "product", storeId: "", day: "2026-05-12", isDirect: true, unchanged: [] },
    links: [{ shortCode: "mugcode", name: "Camping mug" }],
  };

  test("says what Amazon pays since when, with the links that have the new rate or the old one", async () => {
    const changes = [
      { ...CHANGE, unchanged: [{ shortCode: "lampcod", name: "Desk lamp" }] },
      {
        ...CHANGE,
        level: "category",
        name: "Sports",
        asin: null,
        storeId: "anna-21",
        isDirect: false,
        after: 0.045,
        perMonth: -1_050,
      },
    ];
    serve("GET /api/earnings/rate-changes", () => ({ hasRevenue: true, changes }));
    await open(EUROS);
    const items = (await section("Changed commission")).getAllByRole("listitem");
    expect(items.map(({ textContent }) => textContent)).toEqual([
      "Since May 12, “Camping mug” of amazon.de (Germany) pays 2% instead of 4%: at your sales that is €84.00 less a month.Your links to it:Camping mugThese similar ones still pay 4%:Desk lamp",
      "Since May 12, the category “Sports” of amazon.de (Germany), account anna-21, pays 4.5% instead of 4% for indirect sales: at your sales that is €10.50 more a month.Your links to it:Camping mug",
    ]);
    expect((await link("Desk lamp")).getAttribute("href")).toBe("/link/lampcod");
  });

  test("shows nothing without changes, and asks for the column of revenue where reports lack it", async () => {
    await open(EUROS);
    await screen.findByRole("table", { name: "What earned: Link" });
    expect(screen.queryByText("Changed commission")).toBeNull();
    serve("GET /api/earnings/rate-changes", () => ({ hasRevenue: false, changes: [] }));
    await open(EUROS);
    expect(await screen.findByText(/^Your reports have no column of revenue/)).toBeTruthy();
  });
});

describe("Amazon's clicks", () => {
  test("shows them by channel beside the taps of the same days, where they are known", async () => {
    const amazonClicks = { clicks: 450, people: 1_000 };
    const rows = [earningsRow({ key: "7", name: "Blog", amazonClicks }), earningsRow({})];
    await open({ ...EUROS, rows }, "?by=channel");
    const cells = (await rowsOf("What earned: Channel", " | ")).map((row) => row.split(" | ")[4]);
    expect(cells).toEqual(["Amazon's clicks", "45%450 of 1,000", "–Not known"]);
    expect(screen.getByText(/^Amazon's clicks come from its tracking reports/)).toBeTruthy();
  });

  test("asks for missing tracking reports, and only by channel", async () => {
    await open(EUROS, "?by=channel");
    expect(await screen.findByText(/^Import tracking reports/)).toBeTruthy();
    await choose("By", "Link");
    await waitFor(() => expect(screen.queryByText(/^Import tracking reports/)).toBeNull());
  });
});

describe("rates", () => {
  const sums = [sumsIn("EUR", 12_345), sumsIn("USD", 500)];
  const MIXED = { ...EUROS, currency: null, totals: figuresOf({ sums }) };

  test("saves rates for the other currencies of the reports, with a decimal point or comma", async () => {
    const saved = serve("PUT /api/earnings/rates", ({ body }) => ({ ...(body as object), referenceDay: null }));
    await open(MIXED);
    await fill("Your currency", "idr");
    await fill("1 USD in IDR", "16,250");
    await click("Save");
    await waitFor(() => expect(field("1 USD in IDR").getAttribute("aria-invalid")).toBe("true"));
    expect(screen.getByText("Write decimals with a point, such as 16.25, not a comma.")).toBeTruthy();
    await fill("Your currency", "eur");
    expect(screen.queryByLabelText(/^1 EUR/)).toBeNull();
    await fill("1 USD in EUR", "0");
    await click("Save");
    expect(await screen.findByText("Enter a number above 0.")).toBeTruthy();
    await fill("1 USD in EUR", "0,92");
    await click("Save");
    await findToast("Your rates have been saved.");
    expect(document.activeElement?.textContent).toBe("Save");
    expect(saved).toEqual([{ currency: "EUR", rates: [{ currency: "USD", rate: 0.92 }] }]);
  });

  test("saves rates while the shown period has one currency, if other reports have another", async () => {
    const of = (state: "stored" | "ready", currency: string) =>
      earningsImport({ state, reports: [earningsReport({ currency })] });
    serve("GET /api/earnings/imports", () => [of("stored", "USD"), of("stored", "EUR"), of("ready", "JPY")]);
    await open(EUROS);
    await fill("Your currency", "eur");
    expect(field("1 USD in EUR")).toBeTruthy();
    expect(screen.queryByLabelText("1 JPY in EUR")).toBeNull();
  });
});

describe("the card on a link's page", () => {
  test("shows what the link earned, and what it shares with others", async () => {
    const links = ["lampcod", "mugcode"].map(named);
    const sharedRows = [earningsRow({ links, match: "links", sums: [sumsIn("EUR", 700, 3)] })];
    const shared = { earnings: 700, currency: "EUR", links: 1 };
    const before = { from: "2026-10-29", to: "2026-10-31", totals: figuresOf() };
    const earned = { ...until("2026-11-24"), ...figuresOf(LAMP), shared, sharedRows, before };
    const queries = serve("GET /api/links/lampcod/earnings", () => linkEarnings(earned));
    await renderPages("/link/lampcod/clicks?period=custom&from=2026-11-01&to=2026-11-03");
    expect(await totals("Earnings")).toEqual(["€123.45 and €7.00 with 1 other link"]);
    await link("My mugcode");
    expect((await rowsOf("Shared with other links"))[1]).toContain("Several links €7.00");
    expect(screen.getByText(/^Oct 28.*Nov 24, what Amazon has reported, against Oct 29 – 31$/)).toBeTruthy();
    expect(queries).toEqual(["?from=2026-11-01&to=2026-11-03&against=days"]);
  });

  test.each([
    [
      "for shared sales",
      { earnings: 0, shared: { earnings: 5_040, currency: "EUR", links: 1 } },
      "€50.40 with 1 other link",
    ],
    ["for a link of which nothing is reported", { earnings: null }, "–Not in the imported reports"],
    ["for a link that earned nothing", { earnings: 0 }, "€0.00"],
  ])("shows a text %s on the overview, and once of which days it is", async (_, figures, expected) => {
    serve("GET /api/links/lampcod/earnings", () =>
      linkEarnings({ ...until("2026-11-24"), currency: "EUR", ...figures }),
    );
    await renderPages("/link/lampcod");
    expect(await totals("Earned")).toEqual([expected]);
    expect(screen.getAllByText(/^Earned: Oct 28.*Nov 24, what Amazon has reported$/)).toHaveLength(1);
  });

  test("leads to the import if there are no reports", async () => {
    await renderPages("/link/lampcod/clicks");
    expect((await link("Import reports")).getAttribute("href")).toBe("/earnings/import");
  });
});
