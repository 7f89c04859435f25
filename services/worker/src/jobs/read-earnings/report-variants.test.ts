import { gzipSync } from "node:zlib";
import type { DateOrder } from "@tapthru/proto/rules/earnings";
import { fractionDigits } from "@tapthru/proto/rules/money";
import { describe, expect, it } from "vitest";
import { zipOf } from "../../testing/test-reports.ts";
import { entriesOf, type FileSource } from "./archive.ts";
import { readFile } from "./read-file.ts";
import type { ReportRow } from "./report-reader.ts";

const LAST_DAY = "2026-11-27";

interface Sale {
  name: string;
  asin: string;
  tag: string;
  day: string;
  shipped: number;
  returned: number;
  revenue: number;
  earnings: number;
  isDirect: boolean;
}

const MUG: Sale = {
  name: "Mug, large",
  asin: "B08N5WRWNW",
  tag: "me-20",
  day: "2026-09-03",
  shipped: 1,
  returned: 0,
  revenue: 1_299,
  earnings: 52,
  isDirect: true,
};
/** Two equal sales, one with an amount of thousands, and a return. */
const SALES: readonly Sale[] = [
  MUG,
  MUG,
  {
    name: 'Lamp "Luna"',
    asin: "B07XJ8C8F5",
    tag: "me-20",
    day: "2026-09-15",
    shipped: 2,
    returned: 0,
    revenue: 123_450,
    earnings: 4_938,
    isDirect: false,
  },
  {
    name: "Chair",
    asin: "0306406152",
    tag: "blog-20",
    day: "2026-09-30",
    shipped: 0,
    returned: 1,
    revenue: -4_599,
    earnings: -184,
    isDirect: true,
  },
];
const EARNINGS = {
  earnings: 4_858,
  revenue: 121_449,
  ordered: null,
  shipped: 4,
  returned: 1,
  clicks: null,
};
const SEPTEMBER = { firstDay: "2026-09-01", lastDay: "2026-09-30" };
const DAYS_OF_ROWS = { firstDay: "2026-09-03", lastDay: "2026-09-30" };

interface Format {
  title?: string;
  headings?: string;
  delimiter?: string;
  date?(day: string): string;
  amount?(minor: number): string;
  direct?(isDirect: boolean): string;
  /** Rows after the others. */
  end?: string;
  lineEnd?: string;
}

const english = (minor: number) => (minor / 100).toFixed(2);
const comma = (minor: number) => english(minor).replace(".", ",");
const grouped = (locale: string) => (minor: number) =>
  (minor / 100).toLocaleString(locale, { minimumFractionDigits: 2 });
const [US, UK, DE] = ["en-US", "en-GB", "de-DE"].map(
  (locale) => (day: string) =>
    new Date(day).toLocaleDateString(locale, {
      day: "2-digit",
      month: "2-digit",
      year: "numeric",
      timeZone: "UTC",
    }),
) as [Format["date"], Format["date"], Format["date"]] as [
  (day: string) => string,
  (day: string) => string,
  (day: string) => string,
];
const worded = (locale: string) => (day: string) =>
  new Date(day).toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });

const US_TITLE = "Fee-Earnings reports from 09-01-2026 to 09-30-2026";
const US_HEADINGS =
  "Category,Name,ASIN,Seller,Tracking ID,Date Shipped,Price($),Items Shipped,Returns,Revenue($),Ad Fees($),Device Type Group,Direct";

function fileOf(
  {
    title = US_TITLE,
    headings = US_HEADINGS,
    delimiter = ",",
    date = (day) => day,
    amount = english,
    direct = (isDirect) => (isDirect ? "Direct" : "Indirect"),
    end = "",
    lineEnd = "\r\n",
  }: Format,
  sales = SALES,
): string {
  const cell = (text: string) =>
    text.includes(delimiter) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
  const rows = sales.map((sale) =>
    [
      ...["Kitchen", sale.name, sale.asin, "Amazon.com", sale.tag, date(sale.day), amount(1_299)],
      ...[`${sale.shipped}`, `${sale.returned}`, amount(sale.revenue), amount(sale.earnings)],
      ...["Phone", direct(sale.isDirect)],
    ]
      .map(cell)
      .join(delimiter),
  );
  const lines = [title, headings.split(",").join(delimiter), ...rows, end];
  return lines.filter((line) => line !== "").join(lineEnd) + lineEnd;
}

interface ReadOptions {
  maxRows?: number;
  fileName?: string;
  dateOrder?: DateOrder | null;
  currency?: string | null;
}

/** Chunks of a few bytes. */
const sourceOf = (bytes: Uint8Array): FileSource => ({
  size: bytes.length,
  async *read(from, to) {
    for (let at = from; at < to; at += 97) yield bytes.subarray(at, Math.min(to, at + 97));
  },
});

async function read(content: string | Uint8Array, options: ReadOptions = {}) {
  let rows: ReportRow[] = [];
  const result = await readFile(
    sourceOf(Buffer.from(content)),
    { fileName: "report.csv", dateOrder: null, currency: null, lastDay: LAST_DAY, ...options },
    {
      async restart() {
        rows = [];
      },
      begin: async () => 0,
      async insert(_id, added) {
        rows.push(...structuredClone(added));
      },
    },
  );
  return { result, rows };
}

/** The only report of a file. */
async function reportOf(content: string | Uint8Array, options?: ReadOptions) {
  const { result, rows } = await read(content, options);
  if (result === "date-order" || "refusal" in result) throw new Error(JSON.stringify(result));
  const [report, ...others] = result.reports;
  if (report === undefined || others.length > 0) throw new Error("Not one report");
  return { ...report, period: report.dates.period, rows };
}

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");
/** Kanji and kana of the Japanese headings in Shift-JIS. */
const shiftJis = (text: string) => {
  const decoder = new TextDecoder("shift_jis");
  const codes = new Map<string, number[]>();
  for (let high = 0x81; high <= 0x9f; high++) {
    for (let low = 0x40; low <= 0xfc; low++) codes.set(decoder.decode(Uint8Array.of(high, low)), [high, low]);
  }
  for (let high = 0xe0; high <= 0xea; high++) {
    for (let low = 0x40; low <= 0xfc; low++) codes.set(decoder.decode(Uint8Array.of(high, low)), [high, low]);
  }
  return Buffer.from([...text].flatMap((sign) => codes.get(sign) ?? [sign.charCodeAt(0)]));
};

const ITALIAN =
  "Categoria,Prodotto,ASIN,Venditore,TrackingID,Data Spedizione,Prezzo (€),Prodotti spediti,Resi,Ricavi (€),Commissioni pubblicitarie (€),Tipo di dispositivo,Acquisto idoneo diretto";
const GERMAN =
  "Kategorie,Artikelbezeichnung,ASIN,Händler,Tracking-ID,Versanddatum,Preis(€),Versandte Artikel,Retouren,Umsatz(€),Einnahmen(€),Gerätetyp,Direkt";
const FRENCH =
  "Catégorie,Nom,ASIN,Vendeur,ID de suivi,Date d'expédition,Prix(€),Articles expédiés,Retours,Chiffre d'affaires(€),Frais publicitaires(€),Type d'appareil,Direct";
const SPANISH =
  "Categoría,Nombre,ASIN,Vendedor,ID de seguimiento,Fecha de envío,Precio(€),Artículos enviados,Devoluciones,Ingresos(€),Comisiones(€),Tipo de dispositivo,Directo";
const JAPANESE =
  "カテゴリー,商品名,ASIN,販売元,トラッキングID,発送日,価格(¥),発送済み商品数,返品数,売上(¥),紹介料(¥),デバイス,直接";
const yen = (minor: number) => minor.toLocaleString("en-US");

describe("sums are equal to the cent in a report of earnings", () => {
  it.each<[string, string | Uint8Array, object?]>([
    ["in English, as Amazon.com writes it", fileOf({})],
    ["without a title row", fileOf({ title: "" }), { period: DAYS_OF_ROWS }],
    ["with a byte order mark", `\uFEFF${fileOf({})}`],
    ["separated by tabs", fileOf({ delimiter: "\t" })],
    ["in UTF-16", utf16(fileOf({ delimiter: "\t" }))],
    ["in UTF-16 without a byte order mark", Buffer.from(fileOf({}), "utf16le")],
    ["compressed with gzip", gzipSync(fileOf({}))],
    ["with line feeds alone", fileOf({ lineEnd: "\n" })],
    ["with times", fileOf({ date: (day) => `${day} 00:00:00` })],
    ["with dates in words", fileOf({ date: worded("en-US") })],
    ["with British dates in words", fileOf({ date: worded("en-GB") })],
    ["with dates that begin with the month", fileOf({ date: US })],
    ["with dates that begin with the day, which a later row shows", fileOf({ date: UK })],
    [
      "with a title that begins with the day",
      fileOf({ title: "Fee-Earnings reports from 01-09-2026 to 30-09-2026", date: UK }),
    ],
    ["with a title in words", fileOf({ title: "Fee-Earnings reports from September 1, 2026 to September 30, 2026" })],
    ["without currencies, as Amazon.co.uk writes it", fileOf({ headings: US_HEADINGS.replaceAll("($)", "") })],
    ["in pounds", fileOf({ headings: US_HEADINGS.replaceAll("$", "£") }), { currencies: ["GBP"] }],
    [
      "in rupees",
      fileOf({ headings: US_HEADINGS.replaceAll("$", "Rs."), amount: grouped("en-IN") }),
      { currencies: ["INR"] },
    ],
    ["with amounts with signs and separators", fileOf({ amount: (minor) => `$${grouped("en-US")(minor)}` })],
    [
      "with negative amounts in parentheses",
      fileOf({ amount: (minor) => (minor < 0 ? `(${english(-minor)})` : english(minor)) }),
    ],
    ["with yes and no in the column of direct sales", fileOf({ direct: (isDirect) => (isDirect ? "Yes" : "No") })],
    ["with a row of totals", fileOf({ end: "Total,,,,,,,4,1,1214.49,48.58,," })],
    ["with a row of totals without a name", fileOf({ end: ",,,,,,,4,1,1214.49,48.58,," })],
    [
      "with a row for a returned item",
      fileOf(
        {},
        SALES.map((sale) => ({ ...sale, shipped: sale.shipped - sale.returned, returned: 0 })),
      ),
    ],
    [
      "in Italian",
      fileOf({
        headings: ITALIAN,
        title: US_TITLE.replace("09-01", "01-09").replace("09-30", "30-09"),
      }),
      { currencies: ["EUR"] },
    ],
    ["in Italian, with decimal commas", fileOf({ headings: ITALIAN, amount: comma, delimiter: ";" })],
    [
      "in German",
      fileOf({
        headings: GERMAN,
        title: "Fee-Earnings-Berichte vom 01.09.2026 bis 30.09.2026",
        delimiter: ";",
        date: DE,
        amount: grouped("de-DE"),
      }),
    ],
    [
      "in German, with signs after amounts",
      fileOf({ headings: GERMAN, amount: (minor) => `${comma(minor)} €`, date: worded("de-DE") }),
    ],
    ["in French", fileOf({ headings: FRENCH, date: worded("fr-FR"), amount: grouped("fr-FR") })],
    [
      "in French and Latin-1",
      Buffer.from(fileOf({ headings: FRENCH.replaceAll("(€)", ""), date: worded("fr-FR") }), "latin1"),
    ],
    ["in Spanish", fileOf({ headings: SPANISH, date: worded("es-ES"), amount: grouped("de-DE") })],
    [
      "in Japanese, in yen",
      fileOf({ headings: JAPANESE, amount: yen, date: worded("ja-JP") }),
      { currencies: ["JPY", "CNY"] },
    ],
    [
      "in Japanese and Shift-JIS",
      shiftJis(fileOf({ headings: JAPANESE.replaceAll("¥", "円"), amount: yen })),
      { currencies: ["JPY"] },
    ],
  ])("%s", async (_, content, expected = {}) => {
    const { rows, ...report } = await reportOf(content);
    expect(report).toMatchObject({
      kind: "earnings",
      rowCount: 4,
      sums: EARNINGS,
      period: SEPTEMBER,
      ...expected,
    });
    // The equal sales are one row.
    expect(
      rows.map(({ day, tag, asin, isDirect, earnings, shipped }) => ({
        day,
        tag,
        asin,
        isDirect,
        earnings,
        shipped,
      })),
    ).toEqual([
      {
        day: "2026-09-03",
        tag: "me-20",
        asin: "B08N5WRWNW",
        isDirect: true,
        earnings: 104,
        shipped: 2,
      },
      {
        day: "2026-09-15",
        tag: "me-20",
        asin: "B07XJ8C8F5",
        isDirect: false,
        earnings: 4_938,
        shipped: 2,
      },
      {
        day: "2026-09-30",
        tag: "blog-20",
        asin: "0306406152",
        isDirect: true,
        earnings: -184,
        shipped: 0,
      },
    ]);
    expect(rows[1]?.name).toBe('Lamp "Luna"');
  });
});

const ORDERS = { ordered: 6, earnings: null, revenue: null, shipped: null, returned: null };
const DAY_SUMS = { ordered: 7, clicks: 1_250, earnings: null };

describe("sums are equal in a report", () => {
  it.each<[string, string, object]>([
    [
      "of orders",
      "Fee-Orders reports from 09-01-2026 to 09-30-2026\nCategory,Name,ASIN,Date,Qty,Price($),Link Type,Tag,Indirect Sales,Device Type Group\nHome,Mug,B08N5WRWNW,2026-09-03 00:00:00,2,12.99,Text,me-20,di,Phone\nHome,Lamp,B07XJ8C8F5,2026-09-04 00:00:00,4,12.99,Text,me-20,ndi,Phone\n",
      { kind: "orders", sums: ORDERS, period: SEPTEMBER },
    ],
    [
      "of orders of Amazon.co.uk",
      "Category,Name,ASIN,Date,Qty,Price,Link Type,Tag,Orders through product links,Device Type Group\nHome,Mug,B08N5WRWNW,2026-09-03,2,12.99,Text,me-21,di,Phone\nHome,Lamp,B07XJ8C8F5,2026-09-04,4,12.99,Text,me-21,ndi,Phone\n",
      { kind: "orders", sums: ORDERS, period: { firstDay: "2026-09-03", lastDay: "2026-09-04" } },
    ],
    [
      "of orders in Italian",
      "Categoria,Prodotto,ASIN,Data,Quantità,Prezzo (€),Tipo di link,Tag,Ordini attraverso il link del prodotto,Tipo di dispositivo\nCasa,Tazza,B08N5WRWNW,2026-09-03,2,12.99,Text,me-21,di,Phone\nCasa,Lampada,B07XJ8C8F5,2026-09-04,4,12.99,Text,me-21,ndi,Phone\n",
      { kind: "orders", sums: ORDERS, currencies: ["EUR"] },
    ],
    [
      "of tracking ids",
      'Fee-Tracking reports from 09-01-2026 to 09-30-2026\nTracking ID,Clicks,Items Ordered,Items Shipped,Revenue($),Ad Fees($)\nme-20,"1,200",6,5,1259.49,50.42\nblog-20,50,1,0,-45.99,-1.84\nTotal,1250,7,5,1213.50,48.58\n',
      {
        kind: "tracking",
        period: SEPTEMBER,
        sums: { ...DAY_SUMS, earnings: 4_858, revenue: 121_350, shipped: 5 },
      },
    ],
    [
      "of tracking ids in Italian",
      "Fee-Tracking reports from 01-09-2026 to 30-09-2026\nMonitoraggio ID,Clic,articoli ordinati,oggetti spediti,delle entrate (€),tasse pubblicitarie (€)\nme-21,1200,6,5,1259.49,50.42\nblog-21,50,1,0,-45.99,-1.84\n",
      {
        kind: "tracking",
        period: SEPTEMBER,
        sums: { ...DAY_SUMS, earnings: 4_858, revenue: 121_350, shipped: 5 },
      },
    ],
    [
      "of daily trends",
      "Fee-DailyTrends reports from 09-01-2026 to 09-30-2026\nDate,Clicks,Items Ordered (Amazon),Items Ordered (3rd Party),Total Items Ordered,Conversion\n2026-09-01,1000,3,2,5,0.5%\n2026-09-02,250,1,1,2,0.8%\nTotal,1250,4,3,7,0.56%\n",
      { kind: "daily-trends", sums: DAY_SUMS, period: SEPTEMBER },
    ],
    [
      "of daily trends in Italian, without a column of totals",
      "Data,Clic,Articoli ordinati (Amazon),Articoli ordinati (3rd Party),Conversione\n2026-09-01,1000,3,2,0.5%\n2026-09-02,250,1,1,0.8%\n",
      {
        kind: "daily-trends",
        sums: DAY_SUMS,
        period: { firstDay: "2026-09-01", lastDay: "2026-09-02" },
      },
    ],
    [
      "of bounties",
      "Bounty reports from 09-01-2026 to 09-30-2026\nName,Date Shipped,Tracking Id,Quantity,Ad Fees($)\nPrime,2026-09-03,me-20,2,6.00\nAudible,2026-09-04,me-20,1,5.00\n",
      { kind: "bounties", period: SEPTEMBER, sums: { ordered: 3, earnings: 1_100, shipped: null } },
    ],
    [
      "of earnings with other columns in another order",
      'Fee earnings report from 06/01/2026 to 06/30/2026\nDate Shipped,Product Name,ASIN,Seller,Tracking ID,Sub Tag,Product Link Type,Price,Items Shipped,Returns,Revenue,Ad Fees\n06/03/2026,"Desk, 55 inch",B0AAA11111,Amazon.com,me-20,click,Text,129.99,1,0,129.99,5.20\n06/12/2026,Lamp,B0CCC33333,Amazon.com,me-20,,Text,39.99,1,1,39.99,-1.60\n',
      {
        kind: "earnings",
        period: { firstDay: "2026-06-01", lastDay: "2026-06-30" },
        sums: { earnings: 360, revenue: 16_998, shipped: 2, returned: 1 },
      },
    ],
    ["without rows", `${US_TITLE}\n${US_HEADINGS}\n`, { kind: "earnings", period: SEPTEMBER, rowCount: 0 }],
  ])("%s", async (_, content, expected) => {
    expect(await reportOf(content)).toMatchObject(expected);
  });

  it("of orders says which were direct", async () => {
    const file = (value: string) => `ASIN,Date,Qty,Tag,Indirect Sales\nB08N5WRWNW,2026-09-03,1,me-20,${value}\n`;
    const values = ["di", "ndi", "No", "Yes", "", "perhaps"];
    const read = await Promise.all(values.map((value) => reportOf(file(value))));
    expect(read.map(({ rows }) => rows[0]?.isDirect)).toEqual([true, false, true, false, null, null]);
  });
});

describe("a ZIP", () => {
  const FILES = {
    "Fee-Earnings.csv": fileOf({}),
    "reports/Fee-Tracking.tsv": "Fee-Tracking reports from 09-01-2026 to 09-30-2026\nTracking ID\tClicks\nme-20\t7\n",
    "Fee-LinkType.csv": "Link Type,Clicks,Items Ordered\nText,5,1\n",
    "Fee-Earnings.xml": "<report/>",
    "__MACOSX/._Fee-Earnings.csv": "\0\0",
    "empty.csv": "",
  };

  it("has all its reports, without those from which nothing is shown", async () => {
    const { result } = await read(zipOf(FILES));
    expect(result).toMatchObject({
      reports: [
        { fileName: "Fee-Earnings.csv", sums: EARNINGS },
        { fileName: "reports/Fee-Tracking.tsv", kind: "tracking", sums: { clicks: 7 } },
      ],
      ignoredFiles: ["Fee-LinkType.csv", "Fee-Earnings.xml"],
    });
  });

  it("takes the order of dates from any of its reports", async () => {
    const date = (day: string) => day.split("-").toReversed().join("/");
    const early = SALES.slice(0, 2);
    const unclear = fileOf({ title: "", date }, early);
    expect((await read(unclear)).result).toBe("date-order");
    const { result } = await read(zipOf({ "a.csv": unclear, "b.csv": fileOf({ title: "", date }) }));
    expect(result).toMatchObject({
      reports: [
        { dates: { period: { firstDay: "2026-09-03", lastDay: "2026-09-03" } } },
        { dates: { period: DAYS_OF_ROWS } },
      ],
    });
  });

  it.each([
    ["a byte that differs", (zip: Uint8Array) => zip.with(200, (zip[200] ?? 0) ^ 1)],
    ["an end that is missing", (zip: Uint8Array) => zip.subarray(0, -30)],
    ["a middle that is missing", (zip: Uint8Array) => Buffer.concat([zip.subarray(0, 300), zip.subarray(-200)])],
    ["nothing but its first bytes", (zip: Uint8Array) => zip.subarray(0, 4)],
  ])("with %s is refused", async (_, damage) => {
    const { result } = await read(damage(zipOf(FILES)));
    expect(result).toMatchObject({ refusal: { reason: "unreadable-file" } });
  });

  const rowsOf = (zip: Uint8Array) => read(zip).then(({ rows }) => rows.length);

  it("whose entries share bytes is refused before any of them is read", async () => {
    const zip = Buffer.from(zipOf({ "a.csv": fileOf({}), "b.csv": fileOf({}) }));
    const second = zip.lastIndexOf("PK\x01\x02", undefined, "latin1");
    // Where the entry begins.
    zip.writeUInt32LE(0, second + 42);
    expect((await read(zip)).result).toMatchObject({ refusal: { reason: "unreadable-file" } });
    expect(await rowsOf(zip)).toBe(0);
  });

  it("is read up to the size that it says", async () => {
    const zip = Buffer.from(zipOf({ "a.csv": Buffer.alloc(200_000) }));
    const entry = zip.lastIndexOf("PK\x01\x02", undefined, "latin1");
    zip.writeUInt32LE(70_000, entry + 24);
    let length = 0;
    async function inflate() {
      for await (const { bytes } of entriesOf(sourceOf(zip))) {
        for await (const chunk of bytes ?? []) length += chunk.length;
      }
    }
    await expect(inflate()).rejects.toMatchObject({ reason: "unreadable-file" });
    expect(length).toBeLessThanOrEqual(70_000);
  });

  it.each([
    ["a ZIP", (text: string) => zipOf({ "a.csv": text })],
    ["gzip", (text: string) => gzipSync(text)],
  ])("or text in %s that becomes more than a hundred times as large is refused", async (_, pack) => {
    const text = `${fileOf({})}${"\r\n".repeat(600_000)}`;
    expect((await read(pack(text))).result).toMatchObject({
      refusal: { reason: "unreadable-file" },
    });
  });

  it.each([
    ["compressed", 6],
    ["uncompressed", 0],
  ] as const)("that has more %s text than reports have is refused", async (_, level) => {
    const files = { "a.csv": Buffer.alloc(70_000), "b.csv": Buffer.alloc(70_000) };
    const zip = zipOf(files, { level });
    async function inflate(maxBytes: number) {
      for await (const { bytes } of entriesOf(sourceOf(zip), maxBytes)) {
        for await (const _chunk of bytes ?? []);
      }
    }
    await inflate(140_000);
    await expect(inflate(139_999)).rejects.toMatchObject({ reason: "too-many-rows" });
  });
});

describe("dates whose order nothing shows", () => {
  const early = SALES.slice(0, 2);

  it("are derived from the period of the title row", async () => {
    const title = "Fee-Earnings reports from 2026-09-01 to 2026-09-30";
    for (const date of [US, UK]) {
      expect((await reportOf(fileOf({ title, date }, early))).rows).toMatchObject([{ day: "2026-09-03" }]);
    }
  });

  it("are not in the future", async () => {
    const date = () => "03/12/2026";
    expect((await reportOf(fileOf({ title: "", date }, early))).rows).toMatchObject([{ day: "2026-03-12" }]);
  });

  it("are asked once, also those of a title row", async () => {
    const files = [
      fileOf({ title: "", date: UK }, early),
      fileOf({ title: "Fee-Earnings reports from 01-02-2026 to 12-11-2026" }, early),
    ];
    for (const file of files) {
      expect((await read(file)).result).toBe("date-order");
    }
    const [rows, title] = await Promise.all([
      reportOf(files[0] ?? "", { dateOrder: "day-first" }),
      reportOf(files[1] ?? "", { dateOrder: "month-first" }),
    ]);
    expect(rows.rows).toMatchObject([{ day: "2026-09-03" }]);
    expect(title.period).toEqual({ firstDay: "2026-01-02", lastDay: "2026-12-11" });
  });
});

describe("a file is refused with line and reason", () => {
  const row = (change: Partial<Record<"date" | "fees" | "shipped" | "end", string>>) => {
    const { date = "2026-09-03", fees = "0.52", shipped = "1", end = "" } = change;
    return fileOf({
      end: `Home,Mug,B08N5WRWNW,Amazon,me-20,${date},12.99,${shipped},0,12.99,${fees},Phone,Direct${end}`,
    });
  };

  const BIG_SALE = "Home,Mug,B000000001,Amazon,me-20,2026-09-03,12.99,2147483647,0,12.99,0.52,Phone,Direct";

  it.each<[string, string | Uint8Array, object]>([
    ["it is empty", "\r\n\r\n", { reason: "empty-file", line: null }],
    ["it is no report", "a,b\nc,d\n", { reason: "unknown-report", line: 1, text: "a,b" }],
    [
      "a column is missing",
      fileOf({ headings: US_HEADINGS.replace("Tracking ID", "Other") }),
      { reason: "missing-column", line: 2 },
    ],
    [
      "a column occurs twice",
      fileOf({ headings: US_HEADINGS.replace("Price", "Revenue") }),
      { reason: "missing-column", line: 2 },
    ],
    ["an amount is a text", row({ fees: "n/a" }), { reason: "unclear-number", line: 7, text: "n/a" }],
    [
      "an amount has more places than the currency",
      row({ fees: "0.525" }),
      { reason: "unclear-number", line: 7, text: "0.525" },
    ],
    ["an amount contradicts the others", row({ fees: '"0,52"' }), { reason: "unclear-number", line: 7, text: "0,52" }],
    ["a number of items has a fraction", row({ shipped: "1.5" }), { reason: "unclear-number", line: 7, text: "1.5" }],
    ["a date is none", row({ date: "2026-02-30" }), { reason: "unclear-date", line: 7, text: "2026-02-30" }],
    ["a date is missing", row({ date: "" }), { reason: "unclear-date", line: 7, text: "" }],
    [
      "a date is outside the period of the title row",
      row({ date: "2026-10-01" }),
      { reason: "date-out-of-range", line: 7 },
    ],
    [
      "a date is in the future",
      fileOf({ title: "", date: () => "2027-01-01" }),
      { reason: "date-out-of-range", line: 2 },
    ],
    [
      "dates contradict each other",
      fileOf({ title: "", date: (day) => (day === MUG.day ? "13/09/2026" : "09/15/2026") }),
      { reason: "date-out-of-range", line: 4 },
    ],
    [
      "a row of texts has neither product, tracking id nor date",
      fileOf({ end: "Home,Adjustment,,Amazon,,,0,0,0,0,7.00,Phone,Direct" }),
      { reason: "unclear-date", line: 7, text: "" },
    ],
    [
      "the column of earnings is missing",
      fileOf({ title: "", headings: US_HEADINGS.replace(/Ad Fees/, "Other") }),
      { reason: "missing-column", line: 1 },
    ],
    ["a row has a cell too many", row({ end: ",more" }), { reason: "unreadable-file", line: 7 }],
    ["a row is cut off", fileOf({ end: "Home,Mug,B08N5WRWNW" }), { reason: "unreadable-file", line: 7 }],
    ["a quote is not closed", fileOf({ end: `"${"Home,".repeat(20_000)}` }), { reason: "unreadable-file", line: 7 }],
    ["a tracking report does not say its period", "Tracking ID,Clicks\nme-20,7\n", { reason: "unclear-date", line: 1 }],
    [
      "a tracking report is of a year that no report has",
      "Fee-Tracking reports from 0000-01-01 to 0000-01-31\nTracking ID,Clicks\nme-20,7\n",
      { reason: "unclear-date", line: 1 },
    ],
    ["its headings have a NUL", "Na\0me,Foo\nx,y", { reason: "unreadable-file", line: 1 }],
    ["a row has a NUL", row({ shipped: "1\0" }), { reason: "unreadable-file", line: 7 }],
    [
      "it is in UTF-32",
      Buffer.from([..."\uFEFFName\nx"].flatMap((sign) => [sign.charCodeAt(0) & 255, sign.charCodeAt(0) >> 8, 0, 0])),
      { reason: "unreadable-file", line: 1 },
    ],
    [
      "a date is longer than any date",
      row({ date: `"September${" ".repeat(60)}15, 2026"` }),
      { reason: "unclear-date", line: 7 },
    ],
    [
      "a number is longer than any number",
      row({ fees: `0.52${"0".repeat(61)}` }),
      { reason: "unclear-number", line: 7 },
    ],
    [
      "the items of equal rows do not fit a column",
      fileOf({ end: [0, 1].map(() => BIG_SALE).join("\r\n") }),
      { reason: "unclear-number", line: 8, text: "4294967294" },
    ],
    [
      "the amounts of a report are too large together",
      fileOf({
        end: [1, 2].map((day) => BIG_SALE.replace("-03", `-0${day}`).replace("0.52", "90000000000.00")).join("\r\n"),
      }),
      { reason: "unclear-number", line: 8 },
    ],
    [
      "the items that Amazon and others sold do not fit a column together",
      "Date,Clicks,Items Ordered (Amazon),Items Ordered (3rd Party)\n2026-09-01,1,2147483647,2147483647\n",
      { reason: "unclear-number", line: 2 },
    ],
  ])("if %s", async (_, content, refusal) => {
    expect((await read(content)).result).toMatchObject({ refusal });
  });

  it("if all its reports together have too many rows", async () => {
    const zip = zipOf({ "a.csv": fileOf({}), "b.csv": fileOf({}) });
    expect((await read(zip, { maxRows: 8 })).result).toMatchObject({ reports: [{}, {}] });
    expect((await read(zip, { maxRows: 7 })).result).toMatchObject({
      fileName: "b.csv",
      refusal: { reason: "too-many-rows" },
    });
  });

  it.each([
    ["new", zipOf({ "[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>" })],
    ["old", Buffer.from("d0cf11e0a1b11ae1".repeat(100), "hex")],
  ])("if it is a spreadsheet of the %s format", async (_, content) => {
    expect((await read(content)).result).toMatchObject({ refusal: { reason: "spreadsheet" } });
  });

  it("and the name of the file in a ZIP", async () => {
    const zip = zipOf({ "a/Fee-Earnings.csv": fileOf({}), "b.csv": row({ fees: "?" }) });
    expect((await read(zip)).result).toMatchObject({ fileName: "b.csv", refusal: { line: 7 } });
  });
});

it("a title row is read up to 300 characters", async () => {
  // Each of them is four letters in NFKC.
  const title = (count: number) => `Fee-Earnings ${"\u3300".repeat(count)} from 2026-09-01 to 2026-09-30`;
  expect((await reportOf(fileOf({ title: title(60) }))).period).toEqual(SEPTEMBER);
  expect((await reportOf(fileOf({ title: title(80) }))).period).toEqual(DAYS_OF_ROWS);
});

it("amounts in yen have no decimal places", async () => {
  expect(fractionDigits("JPY")).toBe(0);
  const file = fileOf({ headings: JAPANESE.replaceAll("(¥)", ""), amount: yen });
  expect((await reportOf(file, { currency: "JPY" })).sums.earnings).toBe(4_858);
  expect((await reportOf(file, { currency: "EUR" })).sums.earnings).toBe(485_800);
});
