import type { EarningsRates, EarningsTable, TagArrival } from "@tapthru/proto/earnings";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { catchFiles } from "../../testing/catch-files.ts";
import { earningsRow, figuresOf, sumsIn } from "../../testing/earnings-figures.ts";
import { earningsImport, earningsReport, earningsTable, linkEarnings } from "../../testing/earnings-server.ts";
import { shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";

const named = (shortCode: string) => ({ shortCode, name: `My ${shortCode}` });
const LAMP = { sums: [sumsIn("EUR", 12_345, 50, 2)] };
const EUROS: Partial<EarningsTable> = {
  currency: "EUR",
  reportedUntil: "2026-11-24",
  totals: figuresOf({ ...LAMP, people: 1_000, earningsPerClick: 12.345 }),
  matches: [
    { match: "link", ...figuresOf(LAMP) },
    { match: "none", ...figuresOf({ sums: [sumsIn("EUR", 99)] }) },
  ],
  rows: [
    earningsRow({
      key: "lampcod",
      name: "My lamp",
      match: "link",
      ...LAMP,
      people: 1_000,
      earningsPerClick: 12.345,
    }),
    earningsRow({ links: ["mugcode", "cupcode"].map(named), match: "links", sums: [sumsIn("EUR", 700, 3)] }),
    earningsRow({ match: "none", sums: [sumsIn("EUR", 99)] }),
  ],
};
/** What the chart shows. */
const DAILY: Partial<EarningsTable> = {
  ...{ from: "2026-11-01", to: "2026-11-03" },
  rows: [
    earningsRow({ key: "2026-11-01", sums: [sumsIn("EUR", 5_000)] }),
    earningsRow({ key: "2026-11-03", sums: [sumsIn("EUR", -100)] }),
  ],
};
const NO_RATES: EarningsRates = { currency: null, rates: [] };

let requests: URLSearchParams[];
let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  requests = [];
  user = userEvent.setup();
  server.use(
    http.get("/api/earnings/arrivals", () => HttpResponse.json([])),
    http.get("/api/earnings/rates", () => HttpResponse.json(NO_RATES)),
    http.get("/api/earnings/imports", () => HttpResponse.json([])),
    http.get("/api/links/:shortCode", ({ params }) => {
      const shortCode = String(params.shortCode);
      return HttpResponse.json(shortLink({ shortCode, nickname: `My ${shortCode}` }));
    }),
  );
});

function serve(changes: Partial<EarningsTable>) {
  server.use(
    http.get("/api/earnings", ({ request }) => {
      const query = new URL(request.url).searchParams;
      if (query.has("limit")) return HttpResponse.json(earningsTable({ ...changes, ...DAILY }));
      requests.push(query);
      if (request.headers.get("Accept")?.startsWith("text/csv")) {
        return new HttpResponse("key\r\n", { headers: { "Content-Type": "text/csv" } });
      }
      return HttpResponse.json(earningsTable(changes));
    }),
  );
}

/** With common spaces only. */
const plain = (text: string) => text.replaceAll(/\s/g, " ");
const open = (search = "") => renderPages(`/earnings${search}`);
const total = async (name: string) =>
  (await screen.findByText(name, { selector: "dt" })).nextElementSibling?.textContent;
const rows = async (name: string) =>
  within(await screen.findByRole("table", { name }))
    .getAllByRole("row")
    .map((row) => [...row.children].map(({ textContent }) => plain(textContent)).join(" | "));

describe("the figures", () => {
  test("are totals in the currency of the store", async () => {
    serve(EUROS);
    await open();
    expect(await total("Earnings")).toBe("€123.45");
    expect(await total("Per tap")).toBe("€0.123");
    expect(await total("Taps")).toBe("1,000");
    expect(await total("Ordered")).toBe("50");
    expect(await total("Ordered per tap")).toBe("5.0%");
    expect(await total("Returned")).toBe("2");
    expect(screen.getByText(/^Reports until Nov 24, 2026\./)).toBeTruthy();
  });

  test("say in words how each row was matched, and never divide a group of links", async () => {
    serve(EUROS);
    await open();
    await screen.findByRole("link", { name: "My cupcode" });
    expect(await rows("What earned: Link")).toEqual([
      "Link | Earnings | Per tap | Taps | Ordered | Ordered per tap | Returned",
      "My lampOne link | €123.45 | €0.123 | 1,000 | 50 | 5.0% | 2",
      "My mugcodeMy cupcodeSeveral links | €7.00 | –Not known | –Not known | 3 | –Not known | 0",
      "No link or channelNot matched | €0.99 | –Not known | –Not known | 0 | –Not known | 0",
    ]);
    const name = screen.getByRole("link", { name: "My lamp" });
    expect(name.getAttribute("href")).toBe("/link/lampcod");
    const unmatched = screen.getByText(/^The tracking ID is not that of a channel/);
    expect(unmatched.closest("dd")?.previousElementSibling?.textContent).toBe("€0.99");
  });

  test("of several currencies have no sum without rates", async () => {
    const sums = [sumsIn("EUR", 12_345), sumsIn("JPY", 500)];
    serve({ ...EUROS, currency: null, totals: figuresOf({ sums }) });
    await open();
    expect(await total("Earnings")).toBe("€123.45¥500");
    expect(screen.getByText(/^There is no sum of several currencies/)).toBeTruthy();
    expect(await total("Per tap")).toBe("–Not known");
  });

  test("of several currencies are added up with the user's rates, before the amounts of each", async () => {
    const sums = [sumsIn("EUR", 12_345), sumsIn("JPY", 500)];
    const totals = figuresOf({ sums, currency: "EUR", earnings: 12_645 });
    serve({ ...EUROS, totals, rows: [earningsRow({ key: "lampcod", match: "link", ...totals })] });
    await open();
    expect(await total("Earnings")).toBe("€126.45converted; reported: €123.45 and ¥500");
    expect((await rows("What earned: Link"))[1]).toContain("| €126.45€123.45¥500 |");
    expect(screen.getByText(/^Small amounts are those of the reports/)).toBeTruthy();
  });

  test("that no report has are not shown as zero", async () => {
    const sums = [{ ...sumsIn("EUR", 12_345), ordered: null }];
    serve({
      ...EUROS,
      totals: figuresOf({ sums, ordered: null, people: 1_000, conversion: null }),
    });
    await open();
    expect(await total("Earnings")).toBe("€123.45");
    expect(await total("Ordered")).toBe("–Not in the imported reports");
    expect(await total("Ordered per tap")).toBe("–Not in the imported reports");
    expect(await total("Per tap")).toBe("–Not known");
    expect(await total("Returned")).toBe("0");
  });

  test("have a chart, which arrow keys read out", async () => {
    serve(EUROS);
    await open();
    const slider = await screen.findByRole("slider", { name: "Earnings by day" });
    expect(slider.getAttribute("aria-valuetext")).toBe("Tue, Nov 3: -€1.00");
    expect(screen.getByText("Highest: €50.00 (Sun, Nov 1)")).toBeTruthy();
    fireEvent.change(slider, { target: { value: "1" } });
    expect(slider.getAttribute("aria-valuetext")).toBe("Mon, Nov 2: Not known");
  });
});

describe("the table", () => {
  test("is requested by group, order and whole days, which stay in the URL", async () => {
    serve(EUROS);
    await open("?period=custom&from=2026-11-01&to=2026-11-03");
    await screen.findByRole("table", { name: "What earned: Link" });
    expect(Object.fromEntries(requests[0] ?? [])).toEqual({
      from: "2026-11-01",
      to: "2026-11-03",
      by: "link",
      sort: "earnings",
    });
    const sorted = () =>
      screen.getAllByRole("columnheader").find((each) => each.getAttribute("aria-sort") === "descending");
    expect(sorted()?.textContent).toBe("Earnings");
    await user.click(screen.getByRole("button", { name: "Per tap" }));
    await waitFor(() => expect(requests.at(-1)?.get("sort")).toBe("earnings-per-click"));
    expect(sorted()?.textContent).toBe("Per tap");
    serve({ ...EUROS, rows: [] });
    await user.click(screen.getByRole("radio", { name: "Day" }));
    await waitFor(() => expect(requests.at(-1)?.get("by")).toBe("day"));
    expect(requests.at(-1)?.get("sort")).toBe("key");
    expect(requests.at(-1)?.get("from")).toBe("2026-11-01");
  });

  test.each([
    ["store", { key: "de" }, "amazon.de (Germany)", "?store=de"],
    ["day", { key: "2026-11-03" }, "Nov 3, 2026", null],
    ["product", { key: "B0ZZ1Y2X3W", name: "A lamp" }, "A lampB0ZZ1Y2X3W", "?q=B0ZZ1Y2X3W"],
    ["channel", { key: "7", name: "Blog" }, "Blog", "?channel=7"],
    ["label", { key: "3", name: "Home" }, "Home", "?label=3"],
    ["label", {}, "Without a label", null],
  ])("names a %s, and leads to its links", async (by, row, name, search) => {
    serve({ ...EUROS, rows: [earningsRow({ ...row, ...LAMP })] });
    await open(`?by=${by}`);
    const header = within(await screen.findByRole("table")).getByRole("rowheader");
    expect(header.textContent).toBe(name);
    const path = within(header).queryByRole("link")?.getAttribute("href") ?? null;
    expect(path).toBe(search && `/dashboard${search}`);
  });

  test("says that currencies have orders of their own, and how many rows are in the file only", async () => {
    const dollars = earningsRow({ key: "mugcode", match: "link", sums: [sumsIn("USD", 99_999)] });
    serve({ ...EUROS, currency: null, rows: [...(EUROS.rows ?? []), dollars], omittedRowCount: 1_234 });
    await open();
    expect(await screen.findByText("Each currency has an order of its own.")).toBeTruthy();
    expect(screen.getByText(/^1,234 more rows are in the CSV file/)).toBeTruthy();
  });

  test("is downloaded as CSV in the same order", async () => {
    const files = catchFiles();
    serve(EUROS);
    await open("?by=product&sort=people");
    await user.click(await screen.findByRole("button", { name: "Download CSV" }));
    await waitFor(() => expect(files).toHaveLength(1));
    expect(requests[1]).toEqual(requests[0]);
    expect(files[0]?.name).toMatch(/^earnings-product-\d{4}-\d\d-\d\d\.csv$/);
  });
});

describe("whether tags arrive", () => {
  const period = (month: string, amazonClicks: number, people: number) => ({
    firstDay: `2026-${month}-01`,
    lastDay: `2026-${month}-28`,
    amazonClicks,
    people,
    isComparable: true,
    ratio: people < 100 ? null : amazonClicks / people,
  });
  const blog = (trend: TagArrival["trend"], periods: TagArrival["periods"]): TagArrival => {
    const isFalling = trend === "falling";
    return { channelId: 1, marketplace: "de", name: "Blog", isFalling, trend, periods };
  };
  const serveArrivals = (arrivals: TagArrival[]) =>
    server.use(http.get("/api/earnings/arrivals", () => HttpResponse.json(arrivals)));

  test("is shown for each channel with its history, the newest period first", async () => {
    serve(EUROS);
    const periods = [period("08", 50, 60), period("09", 900, 1_000), period("10", 450, 1_000)];
    serveArrivals([blog("falling", periods)]);
    await open();
    expect(await rows("Blog, amazon.de")).toEqual([
      "Period | For 100 taps | Amazon's clicks | Taps",
      "Oct 1 – 28, 2026 | 45 | 450 | 1,000",
      "Sep 1 – 28, 2026 | 90 | 900 | 1,000",
      "Aug 1 – 28, 2026 | Too few | 50 | 60",
    ]);
    expect(screen.getByText("Falling")).toBeTruthy();
    expect(screen.getByText(/What to check:$/)).toBeTruthy();
  });

  test("is not known of a channel with too few people, or whose links changed", async () => {
    serve(EUROS);
    const changed = { ...period("09", 900, 1_000), isComparable: false, ratio: null };
    serveArrivals([blog("unknown", [changed, period("10", 0, 0)])]);
    await open();
    expect(await screen.findByText("Too few to say")).toBeTruthy();
    expect(screen.queryByText(/What to check:$/)).toBeNull();
    const texts = (await rows("Blog, amazon.de")).slice(1).map((row) => row.split(" | ")[1]);
    expect(texts).toEqual(["Too few", "Not comparable"]);
  });

  test("needs tracking reports, and one currency needs no rates", async () => {
    serve(EUROS);
    await open();
    expect(await screen.findByText(/^Import the tracking reports/)).toBeTruthy();
    expect(screen.queryByLabelText("Your currency")).toBeNull();
  });
});

describe("rates", () => {
  const sums = [sumsIn("EUR", 12_345), sumsIn("USD", 500)];
  const mixed = { ...EUROS, currency: null, totals: figuresOf({ sums }) };

  test("are saved for the other currencies of the reports", async () => {
    serve(mixed);
    const saved: unknown[] = [];
    server.use(
      http.put("/api/earnings/rates", async ({ request }) => {
        const body = (await request.json()) as EarningsRates;
        saved.push(body);
        return HttpResponse.json(body);
      }),
    );
    await open();
    await user.type(await screen.findByLabelText("Your currency"), "eur");
    expect(screen.queryByLabelText(/^1 EUR/)).toBeNull();
    await user.type(screen.getByLabelText("1 USD in EUR"), "0");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Enter a number above 0.")).toBeTruthy();
    await user.type(screen.getByLabelText("1 USD in EUR"), ",92");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await findToast("Your rates have been saved.");
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Save" }));
    expect(saved).toEqual([{ currency: "EUR", rates: [{ currency: "USD", rate: 0.92 }] }]);
  });

  test("with a comma that may separate thousands are refused", async () => {
    serve(mixed);
    await open();
    await user.type(await screen.findByLabelText("Your currency"), "idr");
    await user.type(screen.getByLabelText("1 USD in IDR"), "16,250");
    await user.click(screen.getByRole("button", { name: "Save" }));
    const rate = screen.getByLabelText("1 USD in IDR");
    await waitFor(() => expect(rate.getAttribute("aria-invalid")).toBe("true"));
    expect(screen.getByText("Write decimals with a point, such as 16.25, and no comma.")).toBeTruthy();
  });

  test("can be saved while the shown period has one currency, if other reports have another", async () => {
    serve(EUROS);
    const of = (state: "stored" | "ready", currency: string) =>
      earningsImport({ state, reports: [earningsReport({ currency })] });
    const imports = [of("stored", "USD"), of("stored", "EUR"), of("ready", "JPY")];
    server.use(http.get("/api/earnings/imports", () => HttpResponse.json(imports)));
    await open();
    await user.type(await screen.findByLabelText("Your currency"), "eur");
    expect(screen.getByLabelText("1 USD in EUR")).toBeTruthy();
    expect(screen.queryByLabelText("1 JPY in EUR")).toBeNull();
  });
});

describe("the card on a link's page", () => {
  test("has what the link earned, and what it shares with others", async () => {
    const links = ["lampcod", "mugcode"].map(named);
    const shared = [earningsRow({ links, match: "links", sums: [sumsIn("EUR", 700, 3)] })];
    let query: URLSearchParams | undefined;
    server.use(
      http.get("/api/links/:shortCode/earnings", ({ request }) => {
        query = new URL(request.url).searchParams;
        const { reportedUntil = null } = EUROS;
        return HttpResponse.json(linkEarnings({ reportedUntil, ...figuresOf(LAMP), shared }));
      }),
    );
    await renderPages("/link/lampcod/clicks?period=custom&from=2026-11-01&to=2026-11-03");
    expect(await total("Earnings")).toBe("€123.45");
    await screen.findByRole("link", { name: "My mugcode" });
    expect((await rows("Shared with other links"))[1]).toContain("Several links | €7.00");
    expect(Object.fromEntries(query ?? [])).toEqual({ from: "2026-11-01", to: "2026-11-03" });
  });

  test("leads to the import if there are no reports", async () => {
    await renderPages("/link/lampcod/clicks");
    const link = await screen.findByRole("link", { name: "Import reports" });
    expect(link.getAttribute("href")).toBe("/earnings/import");
  });
});
