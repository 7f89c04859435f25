import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { fileOfBytes, readBytes as read, readOneReport as reportOf } from "../../testing/read-report.ts";
import { zipOf } from "../../testing/test-reports.ts";
import { entriesOf } from "./archive.ts";

/** The same sales as Amazon's stores, programs and encodings write them: two equal ones, one of thousands and a return. */
const SAME = new URL("./testing/reports/", import.meta.url);
const OTHERS = new URL("./testing/other-reports/", import.meta.url);
const fileOf = (name: string, folder = SAME) => readFileSync(new URL(name, folder));

const US = fileOf("amazon-com.csv").toString();
const [TITLE = "", HEADINGS = "", MUG = ""] = US.split("\r\n");
const WITHOUT_TITLE = US.replace(`${TITLE}\r\n`, "");
const early = (title: string, day: string) =>
  [title, HEADINGS, MUG.replace("2026-09-03", day), ""].join("\n").trimStart();

const SEPTEMBER = { firstDay: "2026-09-01", lastDay: "2026-09-30" };
const DAYS_OF_ROWS = { firstDay: "2026-09-03", lastDay: "2026-09-30" };
const EARNINGS = { earnings: 4_858, revenue: 121_449, ordered: null, shipped: 4, returned: 1, clicks: null };

const refusalOf = async (content: string | Uint8Array) => (await read(content)).result;

const expected: Record<string, object> = {
  "without-title.csv": { period: DAYS_OF_ROWS },
  "british.csv": { currencies: ["GBP"] },
  "indian.csv": { currencies: ["INR"] },
  "italian.csv": { currencies: ["EUR"] },
  "japanese.csv": { currencies: ["JPY", "CNY"] },
  "japanese-shift-jis.csv": { currencies: ["JPY"] },
};
const files = readdirSync(SAME).map((name) => [name, fileOf(name)] as const);

it.each([
  ...files,
  ["compressed with gzip", gzipSync(US)] as const,
  [
    "compressed with gzip, in parts",
    Buffer.concat([US.slice(0, 500), US.slice(500)].map((part) => gzipSync(part))),
  ] as const,
  ["after a line that names the separator", `sep=;\r\n${US.replaceAll(",", ";")}`] as const,
])("sums are equal to the cent in a report of earnings: %s", async (name, content) => {
  const { rows, ...report } = await reportOf(content);
  const usual = { kind: "earnings", rowCount: 4, sums: EARNINGS, period: SEPTEMBER };
  expect(report).toMatchObject({ ...usual, ...expected[name] });
  expect(
    rows.map(({ day, tag, asin, isDirect, earnings, shipped }) => [day, tag, asin, isDirect, earnings, shipped]),
  ).toEqual([
    ["2026-09-03", "me-20", "B08N5WRWNW", true, 52, 1],
    ["2026-09-03", "me-20", "B08N5WRWNW", true, 52, 1],
    ["2026-09-15", "me-20", "B07XJ8C8F5", false, 4_938, 2],
    ["2026-09-30", "blog-20", "0306406152", true, -184, 0],
  ]);
  expect(rows[2]?.name).toBe('Lamp "Luna"');
});

describe("sums are equal in a report", () => {
  const orders = { kind: "orders", sums: { ordered: 6, earnings: null, revenue: null, shipped: null, returned: null } };
  const tracking = {
    kind: "tracking",
    period: SEPTEMBER,
    sums: { ordered: 7, clicks: 1_250, earnings: 4_858, revenue: 121_350, shipped: 5 },
  };
  const trends = { kind: "daily-trends", sums: { ordered: 7, clicks: 1_250, earnings: null } };

  it.each([
    ["orders.csv", { ...orders, period: SEPTEMBER }],
    ["orders-of-amazon-co-uk.csv", { ...orders, period: { firstDay: "2026-09-03", lastDay: "2026-09-04" } }],
    ["orders-in-italian.csv", { ...orders, currencies: ["EUR"] }],
    ["tracking-ids.csv", tracking],
    ["tracking-ids-in-italian.csv", tracking],
    ["daily-trends.csv", { ...trends, period: SEPTEMBER }],
    ["daily-trends-in-italian.csv", { ...trends, period: { firstDay: "2026-09-01", lastDay: "2026-09-02" } }],
    ["bounties.csv", { kind: "bounties", period: SEPTEMBER, sums: { ordered: 3, earnings: 1_100, shipped: null } }],
    [
      "earnings-in-another-order.csv",
      {
        kind: "earnings",
        period: { firstDay: "2026-06-01", lastDay: "2026-06-30" },
        sums: { earnings: 360, revenue: 16_998, shipped: 2, returned: 1 },
      },
    ],
  ])("%s", async (name, expected) => {
    expect(await reportOf(fileOf(name, OTHERS))).toMatchObject(expected);
  });

  it("sums are equal in a report without rows", async () => {
    expect(await reportOf(`${TITLE}\n${HEADINGS}\n`)).toMatchObject({ period: SEPTEMBER, rowCount: 0 });
  });

  it("a report of orders says which were direct", async () => {
    const file = (value: string) => `ASIN,Date,Qty,Tag,Indirect Sales\nB08N5WRWNW,2026-09-03,1,me-20,${value}\n`;
    const values = ["di", "ndi", "No", "Yes", "", "perhaps"];
    const read = await Promise.all(values.map((value) => reportOf(file(value))));
    expect(read.map(({ rows }) => rows[0]?.isDirect)).toEqual([true, false, true, false, null, null]);
  });

  it("amounts in yen have no decimal places", async () => {
    const file = fileOf("japanese-without-currency.csv", OTHERS);
    expect((await reportOf(file, { currency: "JPY" })).sums.earnings).toBe(4_858);
    expect((await reportOf(file, { currency: "EUR" })).sums.earnings).toBe(485_800);
  });
});

describe("a ZIP", () => {
  const FILES = {
    "Fee-Earnings.csv": US,
    "reports/Fee-Tracking.tsv": "Fee-Tracking reports from 09-01-2026 to 09-30-2026\nTracking ID\tClicks\nme-20\t7\n",
    "Fee-LinkType.csv": "Link Type,Clicks,Items Ordered\nText,5,1\n",
    "Fee-Earnings.xml": "<report/>",
    "__MACOSX/._Fee-Earnings.csv": "\0\0",
    "empty.csv": "",
  };
  const UNREADABLE = { refusal: { reason: "unreadable-file" } };

  async function inflate(zip: Uint8Array, maxBytes?: number): Promise<number> {
    let length = 0;
    for (const { open } of await entriesOf(fileOfBytes(zip), maxBytes)) {
      for await (const chunk of open?.() ?? []) length += chunk.length;
    }
    return length;
  }

  it("reads all reports of a ZIP except those that the product does not show", async () => {
    expect((await read(zipOf(FILES))).result).toMatchObject({
      reports: [
        { fileName: "Fee-Earnings.csv", sums: EARNINGS },
        { fileName: "reports/Fee-Tracking.tsv", kind: "tracking", sums: { clicks: 7 } },
      ],
      ignoredFiles: ["Fee-LinkType.csv", "Fee-Earnings.xml"],
    });
  });

  it("takes the order of dates from any of its reports", async () => {
    const clear = WITHOUT_TITLE.replaceAll(/2026-(\d\d)-(\d\d)/g, "$2/$1/2026");
    const files = { "a.csv": early("", "03/09/2026"), "b.csv": clear };
    expect((await read(zipOf(files))).result).toMatchObject({
      reports: [{ period: { firstDay: "2026-09-03", lastDay: "2026-09-03" } }, { period: DAYS_OF_ROWS }],
    });
  });

  it("takes the order of dates in title rows from any of its reports", async () => {
    const tracking = "Fee-Tracking reports from 09-01-2026 to 09-11-2026\nTracking ID,Clicks\nme-20,7\n";
    expect((await read(tracking)).result).toBe("date-order");
    const { result, rows } = await read(zipOf({ "a.csv": tracking, "b.csv": early(TITLE, "2026-09-03") }));
    const period = { firstDay: "2026-09-01", lastDay: "2026-09-11" };
    expect(result).toMatchObject({ reports: [{ period }, { period: SEPTEMBER }] });
    expect(rows).toMatchObject([{ day: "2026-09-01" }, { day: "2026-09-03" }]);
  });

  it.each([
    ["a byte that differs", (zip: Uint8Array) => zip.with(200, (zip[200] ?? 0) ^ 1)],
    ["an end that is missing", (zip: Uint8Array) => zip.subarray(0, -30)],
    ["a middle that is missing", (zip: Uint8Array) => Buffer.concat([zip.subarray(0, 300), zip.subarray(-200)])],
    ["nothing but its first bytes", (zip: Uint8Array) => zip.subarray(0, 4)],
  ])("refuses a ZIP with %s", async (_, damage) => {
    expect(await refusalOf(damage(zipOf(FILES)))).toMatchObject(UNREADABLE);
  });

  it("refuses a ZIP whose entries share bytes", async () => {
    const zip = Buffer.from(zipOf({ "a.csv": US, "b.csv": US }));
    const second = zip.lastIndexOf("PK\x01\x02", undefined, "latin1");
    // Where the entry begins.
    zip.writeUInt32LE(0, second + 42);
    expect(await refusalOf(zip)).toMatchObject(UNREADABLE);
  });

  it("with more than 200 entries is refused", async () => {
    const withOthers = (count: number) => {
      const others = Array.from({ length: count }, (_, n) => [`${n}.xml`, ""]);
      return zipOf({ "a.csv": US, ...Object.fromEntries(others) });
    };
    expect((await read(withOthers(199))).result).toMatchObject({ reports: [{}] });
    expect(await refusalOf(withOthers(200))).toMatchObject(UNREADABLE);
  });

  it("reads a ZIP up to the size that it states", async () => {
    const zip = Buffer.from(zipOf({ "a.csv": Buffer.alloc(200_000) }));
    zip.writeUInt32LE(70_000, zip.lastIndexOf("PK\x01\x02", undefined, "latin1") + 24);
    await expect(inflate(zip)).rejects.toMatchObject(UNREADABLE);
  });

  it.each([
    ["a ZIP", (text: string) => zipOf({ "a.csv": text })],
    ["gzip", (text: string) => gzipSync(text)],
  ])("refuses a ZIP or text in %s that becomes more than a hundred times as large", async (_, pack) => {
    expect(await refusalOf(pack(`${US}${"\r\n".repeat(600_000)}`))).toMatchObject(UNREADABLE);
  });

  it.each([6, 0] as const)("refuses more text than reports have, compressed by level %i", async (level) => {
    const zip = zipOf({ "a.csv": Buffer.alloc(70_000), "b.csv": Buffer.alloc(70_000) }, { level });
    expect(await inflate(zip, 140_000)).toBe(140_000);
    await expect(inflate(zip, 139_999)).rejects.toMatchObject({ refusal: { reason: "too-many-rows" } });
  });
});

describe("dates whose order nothing shows", () => {
  it("derives the order of dates from the period of the title row", async () => {
    const title = "Fee-Earnings reports from 2026-09-01 to 2026-09-30";
    for (const day of ["09/03/2026", "03/09/2026"]) {
      expect((await reportOf(early(title, day))).rows).toMatchObject([{ day: "2026-09-03" }]);
    }
  });

  it("reads no date as one in the future", async () => {
    expect((await reportOf(early("", "03/12/2026"))).rows).toMatchObject([{ day: "2026-03-12" }]);
  });

  it("asks for the order of dates once, also for those of a title row", async () => {
    const rows = early("", "03/09/2026");
    const title = early("Fee-Earnings reports from 01-02-2026 to 12-11-2026", "2026-09-03");
    for (const file of [rows, title]) expect((await read(file)).result).toBe("date-order");
    expect((await reportOf(rows, { dateOrder: "day-first" })).rows).toMatchObject([{ day: "2026-09-03" }]);
    const period = { firstDay: "2026-01-02", lastDay: "2026-12-11" };
    expect(await reportOf(title, { dateOrder: "month-first" })).toMatchObject({ period });
  });
});

describe("a file is refused with line and reason", () => {
  const SALE = "Home,Mug,B08N5WRWNW,Amazon,me-20,2026-09-03,12.99,1,0,12.99,0.52,Phone,Direct";
  const withSale = (from: string, to: string) => `${US}${SALE.replace(from, to)}\r\n`;

  it.each<[string, string | Uint8Array, reason: string, line: number | null, text?: string]>([
    ["it is empty", "\r\n\r\n", "empty-file", null],
    ["it is no report", "a,b\nc,d\n", "unknown-report", 1, "a,b"],
    ["a column is missing", US.replace("Tracking ID", "Other"), "missing-column", 2],
    ["a column occurs twice", US.replace("Price", "Revenue"), "missing-column", 2],
    ["an amount is a text", withSale("0.52", "n/a"), "unclear-number", 7, "n/a"],
    ["an amount has too many places", withSale("0.52", "0.525"), "unclear-number", 7, "0.525"],
    ["an amount contradicts others", withSale("0.52", '"0,52"'), "unclear-number", 7, "0,52"],
    ["a number of items has a fraction", withSale(",1,", ",1.5,"), "unclear-number", 7, "1.5"],
    ["a date is none", withSale("09-03", "02-30"), "unclear-date", 7, "2026-02-30"],
    ["a date is missing", withSale("2026-09-03", ""), "unclear-date", 7, ""],
    ["a date is outside the period of the title", withSale("09-03", "10-01"), "date-out-of-range", 7],
    ["a date is in the future", WITHOUT_TITLE.replaceAll(/2026-\d\d-\d\d/g, "2027-01-01"), "date-out-of-range", 2],
    [
      "dates contradict each other",
      WITHOUT_TITLE.replaceAll("2026-09-03", "13/09/2026").replaceAll(/2026-\d\d-\d\d/g, "09/15/2026"),
      "date-out-of-range",
      4,
    ],
    [
      "a row of texts has neither product, tracking id nor date",
      `${US}Home,Adjustment,,Amazon,,,0,0,0,0,7.00,Phone,Direct`,
      "unclear-date",
      7,
      "",
    ],
    ["a column of earnings is missing", WITHOUT_TITLE.replace("Ad Fees", "x"), "missing-column", 1],
    ["a row is cut off", `${US}Home,Mug,B08N5WRWNW`, "unreadable-file", 7],
    ["a quote is not closed", `${US}"${"Home,".repeat(20_000)}`, "unreadable-file", 7],
    ["a tracking report does not say its period", "Tracking ID,Clicks\nme-20,7\n", "unclear-date", 1],
    [
      "a tracking report is of a year that no report has",
      "Fee-Tracking reports from 0000-01-01 to 0000-01-31\nTracking ID,Clicks\nme-20,7\n",
      "unclear-date",
      1,
    ],
    ["its headings have a NUL", "Na\0me,Foo\nx,y", "unreadable-file", 1],
    ["a row has a NUL", withSale(",1,", ",1\0,"), "unreadable-file", 7],
    ["it is in UTF-32", Buffer.from("\uFEFF\0N\0a\0", "utf16le"), "unreadable-file", 1],
    [
      "a date is longer than any date",
      withSale("2026-09-03", `"September${" ".repeat(60)}15, 2026"`),
      "unclear-date",
      7,
    ],
    ["a number is longer than any number", withSale("0.52", `0.52${"0".repeat(61)}`), "unclear-number", 7],
    [
      "the items of a report do not fit a column together",
      withSale(",1,", ",2147483647,"),
      "unclear-number",
      7,
      "2147483651",
    ],
    [
      "the amounts of a report are too large together",
      `${US}${`${SALE.replace("0.52", "60000000000.00")}\r\n`.repeat(2)}`,
      "unclear-number",
      8,
    ],
    [
      "the items that Amazon and others sold do not fit a column together",
      "Date,Clicks,Items Ordered (Amazon),Items Ordered (3rd Party)\n2026-09-01,1,2147483647,2147483647\n",
      "unclear-number",
      2,
    ],
    ["it is a new spreadsheet", zipOf({ "[Content_Types].xml": "<Types/>" }), "spreadsheet", null],
    ["it is an old spreadsheet", Buffer.from("d0cf11e0a1b11ae1".repeat(100), "hex"), "spreadsheet", null],
  ])("refuses a file with line and reason if %s", async (_, content, reason, line, text) => {
    const refusal = { reason, line, ...(text !== undefined && { text }) };
    expect(await refusalOf(content)).toMatchObject({ refusal });
  });

  it("refuses a file whose reports have too many rows together, and names the file in a ZIP", async () => {
    const zip = zipOf({ "a.csv": US, "b.csv": US });
    expect((await read(zip, { maxRows: 8 })).result).toMatchObject({ reports: [{}, {}] });
    const { result } = await read(zip, { maxRows: 7 });
    expect(result).toMatchObject({ refusal: { fileName: "b.csv", reason: "too-many-rows" } });
  });
});

it("a title row is read up to 300 characters", async () => {
  // Each of them is four letters in NFKC.
  const titled = (count: number) =>
    US.replace(TITLE, `Fee-Earnings ${"\u3300".repeat(count)} from 2026-09-01 to 2026-09-30`);
  expect((await reportOf(titled(60))).period).toEqual(SEPTEMBER);
  expect((await reportOf(titled(80))).period).toEqual(DAYS_OF_ROWS);
});
