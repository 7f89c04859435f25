import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { fractionDigits } from "@tapthru/proto/rules/money";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBytes, readOneReport } from "../../testing/read-report.ts";
import { zipOf } from "../../testing/test-reports.ts";

const TITLE = "Fee-Earnings reports from 09-01-2026 to 09-30-2026";
const PERIOD = { firstDay: "2026-09-01", lastDay: "2026-09-30" };
const HEADINGS =
  "Category,Name,ASIN,Seller,Tracking ID,Date Shipped,Price($),Items Shipped,Returns,Revenue($),Ad Fees($),Device Type Group,Direct";
const sale = (name: string, fees = "0.52") =>
  `Kitchen,${name},B08N5WRWNW,Amazon.com,me-20,2026-09-03,12.99,1,0,12.99,${fees},Phone,Direct`;
const fileOf = (...lines: string[]) => [TITLE, HEADINGS, ...lines, ""].join("\n");
const refusalOf = async (content: string | Uint8Array) => (await readBytes(content)).result;

describe("columns", () => {
  it.each([
    ["Ordered Items", "Commission Income($)"],
    ["Total Ordered Items", "Earnings($)"],
    ["Bestellte Artikel", "Einnahmen($)"],
    ["Zamówione przedmioty", "Zarobki ($)"],
  ])("columns of tracking reports may be called %s and %s", async (ordered, earnings) => {
    const title = "Fee-Tracking reports from 09-01-2026 to 09-30-2026";
    const file = `${title}\nTracking ID,Clicks,${ordered},Revenue($),${earnings}\nme-20,120,7,91.20,3.65\n`;
    expect(await readOneReport(file)).toMatchObject({
      sums: { clicks: 120, ordered: 7, revenue: 9_120, earnings: 365 },
      unreadLines: [],
    });
  });

  it.each(["Bounty Earnings($)", "Foo Income", "Bonus(₩)", "Bestellwert brutto"])(
    "that are not known and have amounts are named: %s",
    async (heading) => {
      const file = fileOf(`${sale("Mug")},0.00`, `${sale("Mug")},7.00`, `${sale("Mug")},8.00`);
      const { sums, unreadLines } = await readOneReport(file.replace(HEADINGS, `${HEADINGS},${heading}`));
      expect([sums.earnings, unreadLines]).toEqual([156, [{ line: 2, text: heading }]]);
    },
  );

  it("names columns that the report does not show elsewhere", async () => {
    const file = fileOf(`${sale("Mug")},7,3`).replace(HEADINGS, `${HEADINGS},Clicks,Items Ordered`);
    expect((await readOneReport(file)).unreadLines).toEqual([
      { line: 2, text: "Clicks" },
      { line: 2, text: "Items Ordered" },
    ]);
    const trends = "Fee-DailyTrends\nDate,Clicks,Total Items Ordered,Items Ordered (Amazon),Ad Fees($)\n";
    const { sums, unreadLines } = await readOneReport(`${trends}2026-09-03,7,3,2,0.52\n`);
    expect(sums).toMatchObject({ clicks: 7, ordered: 3, earnings: null });
    expect(unreadLines).toEqual([{ line: 2, text: "Ad Fees($)" }]);
  });

  it("does not name unknown columns without amounts", async () => {
    const file = fileOf(`${sale("Mug")},0.00,blue,`, `${sale("Mug")},–,0306-A,5%`);
    const { unreadLines } = await readOneReport(file.replace(HEADINGS, `${HEADINGS},Bonus,Colour,Share of clicks`));
    expect(unreadLines).toEqual([]);
  });

  it.each([
    "Taxa de publicidade(R$)",
    "Tasa de publicidad(€)",
    "Stawka prowizji(zł)",
    "Taux de commission €",
    "Conversion Earnings($)",
    "SubTag Earnings (LE)",
    "Price per click($)",
    "Total Price($)",
    "Direct Sales($)",
    "Clicks($)",
  ])("names columns that are not shown and have a currency: %s", async (heading) => {
    const title = "Fee-Tracking reports from 09-01-2026 to 09-30-2026";
    const file = `${title}\nTracking ID,Clicks,${heading}\nme-20,120,7.00\n`;
    const { sums, unreadLines } = await readOneReport(file);
    expect([sums.clicks, sums.earnings, unreadLines]).toEqual([120, null, [{ line: 2, text: heading }]]);
  });

  it.each(["$7.00", "7.00 EUR", "₽7.00"])("names columns that have amounts with a currency: %s", async (cell) => {
    const headings = `${HEADINGS},Taxa de publicidade,Indirect Sales,Colour`;
    const { unreadLines } = await readOneReport(
      fileOf(`${sale("Mug")},${cell},${cell},${cell}`).replace(HEADINGS, headings),
    );
    expect(unreadLines.map(({ text }) => text).toSorted()).toEqual(["Colour", "Indirect Sales", "Taxa de publicidade"]);
  });

  it("does not name columns of prices and rates", async () => {
    const headings = `${HEADINGS},Item Price (USD),Conversion,Commission Rate,Commission(%)`;
    const file = fileOf(`${sale("Mug")},$7.00,4.5,5%,5`).replace(HEADINGS, headings);
    expect(await readOneReport(file)).toMatchObject({ sums: { earnings: 52 }, unreadLines: [] });
  });

  it("does not ignore the sign of another currency in a column", async () => {
    for (const heading of ["Ad Fees(₩)", "₩ Ad Fees", "Ad Fees (pts)"]) {
      const file = fileOf(sale("Mug")).replace("Ad Fees($)", heading);
      expect(await refusalOf(file)).toMatchObject({ refusal: { reason: "missing-column", line: 2 } });
    }
    for (const cell of ["₩0.52", "0.52 pts"]) {
      expect(await refusalOf(fileOf(sale("Mug", cell)))).toMatchObject({ refusal: { line: 3, text: cell } });
    }
    const { currencies } = await readOneReport(fileOf(sale("Mug", "€0.52")));
    expect(currencies).toEqual([]);
  });
});

it.each([
  "Fee-Tracking reports from ٠١-٠٩-٢٠٢٦ to ٣٠-٠٩-٢٠٢٦",
  "Fee-Tracking تقرير ١ سبتمبر ٢٠٢٦ - ٣٠ سبتمبر ٢٠٢٦",
  "Fee-Tracking raport 1 września 2026 - 30 września 2026",
  "Fee-Tracking raporu 1 Eylül 2026 - 30 Eylül 2026",
  "Fee-Tracking overzicht van 1 september 2026 tot 30 september 2026",
  "Fee-Trackingレポート 2026年9月1日 ～ 2026年9月30日",
])("the period of a title is read in each language: %s", async (title) => {
  expect((await readOneReport(`${title}\nTracking ID,Clicks\nme-20,7\n`)).period).toEqual(PERIOD);
});

describe("rows of totals are named, and in no sum", () => {
  it.each([
    "Total,,,,,,,2,0,25.98,1.04,,",
    "Toplam,,,,,,,2,0,25.98,1.04,,",
    ",,,,,,,2,0,25.98,1.04,,",
    "Razem:,,,,,,,2,0,$25.98,US$1.04,,",
    "Total general,,,,,,,2,0,$25.98,US$1.04,,",
    "Insgesamt,,,,,,,2,0,$25.98,US$1.04,,",
  ])("%s", async (total) => {
    const { sums, rowCount, unreadLines } = await readOneReport(fileOf(sale("Mug"), sale("Mug"), ",,,,", total));
    expect([sums.earnings, rowCount]).toEqual([104, 2]);
    const text = total.split(",").filter(Boolean).join(", ");
    expect(unreadLines).toEqual([{ line: 6, text }]);
  });

  it("reads a product that has the name of a total", async () => {
    const file = "Name,ASIN,Date,Qty,Tag\nTotal,B08N5WRWNW,2026-09-03,1,me-20\nTotal,,,1,\n";
    expect(await readOneReport(file)).toMatchObject({ rowCount: 1, unreadLines: [{ line: 3, text: "Total, 1" }] });
  });

  it("names a total in each column", async () => {
    const title = "Fee-Tracking reports from 09-01-2026 to 09-30-2026";
    const file = `${title}\nClicks,Tracking ID\n7,me-20\n3,blog-20\n10,الإجمالي\n`;
    expect(await readOneReport(file)).toMatchObject({ rowCount: 2, sums: { clicks: 10 } });
  });

  it("a file with more than a hundred is refused", async () => {
    const file = fileOf(...Array(101).fill(",,,,,,,2,0,25.98,1.04,,"));
    expect(await refusalOf(file)).toMatchObject({ refusal: { reason: "unreadable-file", line: 103 } });
  });
});

it("a row without the earnings that it needs is named, and in no sum", async () => {
  const file = fileOf(sale("Mug"), sale("Lamp", ""), sale("Mug", "-"));
  const text = sale("Lamp", "").split(",").filter(Boolean).join(", ");
  expect(await readOneReport(file)).toMatchObject({
    rowCount: 2,
    sums: { earnings: 52, shipped: 2 },
    unreadLines: [{ line: 4, text }],
  });
});

describe("a quote that does not close takes no other row with it", () => {
  const three = (name: string) => [sale("Mug"), sale(name), sale("Mug")];

  it.each([
    ["at the beginning of a cell", fileOf(...three('"Wicked'))],
    ["before a separator in its cell", fileOf(...three('"Wicked, Vol. 1'))],
    ["before separators in its cell, in each row", fileOf(...Array(3).fill(sale('"Wicked, Part 1, "new')))],
    ["before one that closes a word", fileOf(sale('"Wicked, Part 1'), sale('Set "Luna"'), sale("C"))],
    ["before one of inches two rows later", fileOf(sale('"Wicked'), sale('"B, x'), sale('Monitor 27"'))],
    ["of inches", fileOf(...three('Monitor 27"'))],
    ["within a cell", fileOf(...three('The "Wicked'))],
    ["of a name with a comma", fileOf(...three('"Mug, 27" wide, large"'))],
    ["in two rows", fileOf(...three('"Wicked').slice(0, 2), sale('"Wicked'))],
    ["before a quoted cell", fileOf(sale("Mug"), sale('"Wicked', '"0.52"'), sale('"Mug, large"'))],
    ["in the last row", fileOf(sale("Mug"), sale("Mug"), sale('"Wicked'))],
    [
      "in the first and in the last cell",
      fileOf(...three("Mug"))
        .replace("Kitchen,Mug", '"Kitchen,Mug')
        .replaceAll("Phone,Direct", 'Phone,"Direct'),
    ],
  ])("%s", async (_, content) => {
    const { sums, rowCount } = await readOneReport(content);
    expect([rowCount, sums.shipped, sums.earnings]).toEqual([3, 3, 156]);
  });

  it("an unclosed quote takes no other row with it in a report of another kind", async () => {
    const file = 'ASIN,Date,Qty,Tag,Name\nB08N5WRWNW,2026-09-03,1,me-20,"Wicked\nB08N5WRWNW,2026-09-03,2,me-20,Mug\n';
    expect(await readOneReport(file)).toMatchObject({ kind: "orders", rowCount: 2, sums: { ordered: 3 } });
  });

  it("cells in quotes may have separators, quotes and breaks", async () => {
    const names = ['"Mug, ""large"""', '"Mug\nof two lines"', '"Mug\r\n\r\nof ""three"", lines"', '""', '"'];
    const { rows, rowCount } = await readOneReport(
      fileOf(...names.map((name, n) => sale(name).replace("B08N5WRWNW", `B08N5WRWN${n}`))),
    );
    expect(rowCount).toBe(5);
    expect(rows.map(({ name }) => name)).toEqual([
      'Mug, "large"',
      "Mug\nof two lines",
      'Mug\n\nof "three", lines',
      "",
      '"',
    ]);
  });

  it("names a row that is cut off", async () => {
    const file = fileOf(sale("Mug"), 'Kitchen,"Wicked,B08N5WRWNW', sale("Mug"));
    expect(await refusalOf(file)).toMatchObject({ refusal: { reason: "unreadable-file", line: 4 } });
  });
});

describe("a cell too many takes no other row with it", () => {
  const three = (row: string) => fileOf(sale("Mug"), row, sale("Lamp"));

  it.each([
    ["of a name", sale("B, x")],
    ["of a name, with others", sale("B, x, 27, y")],
    ["of a name whose quote does not close", sale('B, "x, y')],
    ["of a category", sale("Mug").replace("Kitchen", "Home, Kitchen")],
    ["of a seller", sale("Mug").replace("Amazon.com", "Acme, Inc")],
    ["of an amount", sale("Mug").replaceAll("12.99", "1,299.00")],
    ["of an amount, before empty ones", sale("Mug").replaceAll("12.99", "1,299.00").replace("Phone,Direct", ",")],
    ["of a name and a seller", sale("B, x").replace("Amazon.com", "Acme, Inc")],
    ["at its end", `${sale("Mug")},more`],
    ["of a name without an ASIN", sale("B, x").replace("B08N5WRWNW", "")],
  ])("one %s leaves its row out, and names it", async (_, row) => {
    const text = row.split(",").filter(Boolean).join(", ");
    expect(await readOneReport(three(row))).toMatchObject({
      rowCount: 2,
      sums: { earnings: 104 },
      unreadLines: [{ line: 4, text }],
    });
  });

  it("a cell too many takes no other row with it in a report of another kind", async () => {
    const orders = "ASIN,Name,Date,Qty,Tag";
    const row = (name: string) => `B08N5WRWNW,${name},2026-09-03,1,me-20`;
    const file = [orders, row("Mug"), row("B, x"), row('"B, x"'), ""].join("\n");
    expect(await readOneReport(file)).toMatchObject({ rowCount: 2, sums: { ordered: 2 }, unreadLines: [{ line: 3 }] });
  });

  it("each row may end in a separator", async () => {
    const file = fileOf(`${sale("Mug")},`, `${sale("Lamp")},`);
    expect(await readOneReport(file)).toMatchObject({ rowCount: 2, sums: { earnings: 104 }, unreadLines: [] });
  });
});

describe("a report is known by its whole name", () => {
  const orders = (title: string) =>
    `${title}\nCategory,Name,ASIN,Date,Qty,Price($),Link Type,Tag,Indirect Sales,Device Type Group\nHome,Mug,B08N5WRWNW,2026-09-03 00:00:00,1,12.99,Text,me-20,di,Phone\n`;
  const REST = "reports from 09-01-2026 to 09-30-2026";

  it.each(["Fee-OrdersWithClicks", "Fee-Orders With Clicks", "Fee-OrdersByDay", "Fee-Shipments"])(
    "does not read %s as orders",
    async (name) => {
      const refusal = { reason: "unknown-report", text: "report.csv" };
      expect(await refusalOf(orders(`${name} ${REST}`))).toMatchObject({ refusal });
    },
  );

  it("reads a ZIP with several reports of the same days, each as its kind", async () => {
    const tracking = `Fee-Tracking ${REST}\nTracking ID,Clicks\nme-20,7\n`;
    const zip = zipOf({
      "Fee-OrdersWithClicks.csv": orders(`Fee-OrdersWithClicks ${REST}`),
      "Fee-Orders.csv": orders(`Fee-Orders ${REST}`),
      "Fee-Earnings.csv": fileOf(sale("Mug")),
      "Fee-Tracking.csv": tracking,
      "Fee-DailyTrends.csv": `Fee-DailyTrends ${REST}\nDate,Clicks\n2026-09-03,7\n`,
      "Bounty.csv": `Bounty ${REST}\nName,Date Shipped,Tracking Id,Quantity,Ad Fees($)\nPrime,2026-09-03,me-20,2,6.00\n`,
    });
    const kinds = ["orders", "earnings", "tracking", "daily-trends", "bounties"];
    expect((await readBytes(zip)).result).toMatchObject({
      reports: kinds.map((kind) => ({ kind, rowCount: 1 })),
      ignoredFiles: ["Fee-OrdersWithClicks.csv"],
    });
  });
});

const LANGUAGES: Readonly<Record<string, string>> = {
  en: "Category,Name,ASIN,Seller,Tracking ID,Date Shipped,Price,Items Shipped,Returns,Revenue,Commission Income,Device,Direct,Total",
  de: "Kategorie,Artikelbezeichnung,ASIN,Händler,Tracking-ID,Versanddatum,Preis,Ausgelieferte Artikel,Rücksendungen,Umsatz,Einnahmen,Gerätetyp,Direkt,Summe",
  fr: "Catégorie,Nom de l'article,ASIN,Vendeur,ID de suivi,Date d'expédition,Prix,Articles expédiés,Retours,Chiffre d'affaires,Revenus,Appareil,Direct,Total",
  it: "Categoria,Prodotto,ASIN,Venditore,Monitoraggio ID,Data Spedizione,Prezzo,Prodotti spediti,Resi,Ricavi,Commissioni pubblicitarie,Dispositivo,Diretto,Totale",
  es: "Categoría,Nombre del artículo,ASIN,Vendedor,ID de seguimiento,Fecha de envío,Precio,Artículos enviados,Devoluciones,Ingresos,Comisiones,Dispositivo,Directo,Total",
  pt: "Categoria,Nome do produto,ASIN,Vendedor,ID de rastreamento,Data de envio,Preço,Produtos enviados,Devoluções,Receita de produtos enviados,Comissão,Dispositivo,Direto,Total",
  nl: "Categorie,Artikelnaam,ASIN,Verkoper,Tracking-id,Verzenddatum,Prijs,Verzonden artikelen,Retouren,Omzet,Inkomsten,Apparaat,Direct,Totaal",
  pl: "Kategoria,Nazwa przedmiotu,ASIN,Sprzedający,Identyfikator śledzenia,Data wysyłki,Cena,Wysłane przedmioty,Zwroty,Przychód,Zarobki,Urządzenie,Bezpośrednia sprzedaż,Razem",
  sv: "Kategori,Artikelnamn,ASIN,Säljare,Spårnings-ID,Leveransdatum,Pris,Utskickade artiklar,Returer,Intäkter,Provision,Enhet,Direkt,Summa",
  tr: "Kategori,Ürün Adı,ASIN,Satıcı,Takip Kimliği,Gönderim Tarihi,Fiyat,Gönderilen Ürünler,İadeler,Gelir,Kazanç,Cihaz,Doğrudan,Toplam",
  ar: "الفئة,اسم المنتج,ASIN,البائع,معرف التتبع,تاريخ الشحن,السعر,المنتجات المشحونة,المرتجعات,الإيرادات,الأرباح,الجهاز,مباشر,الإجمالي",
  ja: "カテゴリー,商品名,ASIN,販売元,トラッキングID,発送日,価格,発送済み商品数,返品数,売上,紹介料,デバイス,直接,合計",
};

/** The bytes of a text in an encoding that TextDecoder knows; null if it has other characters. */
function encode(text: string, encoding: string): Uint8Array | null {
  if (encoding === "utf-8") return Buffer.from(text);
  if (encoding === "utf-16le") return Buffer.from(`\uFEFF${text}`, "utf16le");
  const known = CODES[encoding]?.() ?? new Map();
  const codes = [...text].map((character) => known.get(character));
  return codes.every((code) => code !== undefined) ? Uint8Array.from(codes.flat()) : null;
}

function codesOf(encoding: string, second: readonly number[]): Map<string, number[]> {
  const decoder = new TextDecoder(encoding);
  const codes = Array.from({ length: 256 }, (_, code) => [[code], ...second.map((next) => [code, next])]).flat();
  const entries = codes.map((bytes): [string, number[]] => [decoder.decode(Uint8Array.from(bytes)), bytes]);
  return new Map(entries.filter(([text]) => [...text].length === 1 && text !== "\uFFFD").toReversed());
}

const TWO_BYTES = Array.from({ length: 0xbd }, (_, index) => index + 0x40);
const CODES: Readonly<Record<string, () => Map<string, number[]>>> = Object.fromEntries(
  ["windows-1252", "windows-1250", "windows-1254", "windows-1256", "shift_jis"].map((encoding) => {
    let codes: Map<string, number[]> | undefined;
    return [encoding, () => (codes ??= codesOf(encoding, encoding === "shift_jis" ? TWO_BYTES : []))];
  }),
);

/** With quotes that do not open and close a cell, as Amazon writes them. */
const RAW_NAMES = ['"Wicked', '"Wicked, Part 1; new', 'Set "Luna"', 'Monitor 27"'];
const SIGNS = ["", "symbol", "code"] as const;
const MINUS = ["", "behind", "parentheses"] as const;

const report = fc.constantFrom(...Object.keys(LANGUAGES)).chain((language) => {
  const stores = (Object.keys(MARKETPLACES) as Marketplace[]).filter((store) =>
    MARKETPLACES[store].languages.includes(language),
  );
  return fc.record({
    language: fc.constant(language),
    store: fc.constantFrom(...stores),
    separator: fc.constantFrom(",", ";", "\t"),
    lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
    encoding: fc.constantFrom("utf-8", "utf-16le", ...Object.keys(CODES)),
    hasTitle: fc.boolean(),
    hasTotal: fc.boolean(),
    quotesAll: fc.boolean(),
    headingSign: fc.constantFrom(...SIGNS),
    cellSign: fc.constantFrom(...SIGNS),
    minus: fc.constantFrom(...MINUS),
    dates: fc.constantFrom("iso", "long" as const),
    order: fc.shuffledSubarray(
      Array.from({ length: 13 }, (_, index) => index),
      { minLength: 13 },
    ),
    rows: fc.array(
      fc.record({
        name: fc.constantFrom(
          "Mug",
          "Mug, large; blue",
          'Lamp "Luna"',
          '27" monitor',
          "Mug\nof two lines",
          ...RAW_NAMES,
        ),
        day: fc.integer({ min: 1, max: 30 }),
        shipped: fc.integer({ min: 0, max: 2_000 }),
        returned: fc.integer({ min: 0, max: 3 }),
        revenue: fc.integer({ min: -9_999_999, max: 999_999_999 }),
        earnings: fc.integer({ min: -99_999, max: 9_999_999 }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  });
});
type Report = typeof report extends fc.Arbitrary<infer Value> ? Value : never;

function textOf({ store, language, separator, lineEnd, order, rows, ...form }: Report): string {
  const { country, currency } = MARKETPLACES[store];
  const digits = fractionDigits(currency);
  const locale = `${language}-${country}`;
  const [categories = "", ...names] = (LANGUAGES[language] ?? "").split(",");
  const total = names.pop() ?? "";
  const currencyFormat = (display: "symbol" | "code") =>
    new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: display });
  const plain = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const amountFormat = form.cellSign === "" ? plain : currencyFormat(form.cellSign);
  const groupOf = (format: Intl.NumberFormat) => format.formatToParts(1e6).find(({ type }) => type === "group")?.value;
  // In some languages of Intl amounts have other separators than numbers.
  const counts = new Intl.NumberFormat(locale, { useGrouping: groupOf(plain) === groupOf(amountFormat) });
  const amount = (units: number) => {
    const text = amountFormat.format(Math.abs(units) / 10 ** digits);
    if (units >= 0) return text;
    if (form.minus === "") return amountFormat.format(units / 10 ** digits);
    return form.minus === "behind" ? `${text}-` : `(${text})`;
  };
  const parts = form.headingSign === "" ? [] : currencyFormat(form.headingSign).formatToParts(1);
  const sign = parts.find(({ type }) => type === "currency")?.value;
  const headings = [categories, ...names].map((name, index) =>
    [6, 9, 10].includes(index) && sign !== undefined ? `${name}(${sign})` : name,
  );
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  const cells = rows.map(({ name, day, shipped, returned, revenue, earnings }) => [
    "Kitchen",
    name,
    "B08N5WRWNW",
    "Amazon",
    "me-20",
    form.dates === "iso" ? `2026-09-${String(day).padStart(2, "0")}` : dates.format(Date.UTC(2_026, 8, day)),
    amount(1_299),
    counts.format(shipped),
    counts.format(returned),
    amount(revenue),
    amount(earnings),
    "Phone",
    "Direct",
  ]);
  const sum = (column: "revenue" | "earnings") => amount(rows.reduce((all, row) => all + row[column], 0));
  const totals = [total, "", "", "", "", "", "", "", "", sum("revenue"), sum("earnings"), "", ""];
  const written = (cell: string) => {
    if (RAW_NAMES.includes(cell)) return cell;
    const needsQuotes = form.quotesAll || /[\n"]/.test(cell) || cell.includes(separator);
    return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
  };
  const lines = [headings, ...cells, ...(form.hasTotal ? [totals] : [])].map((line) =>
    order.map((index) => written(line[index] ?? "")).join(separator),
  );
  return [...(form.hasTitle ? [TITLE] : []), ...lines, ""].join(lineEnd);
}

it("reports in each language of each store are read to the same sums", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(report, async (each) => {
      const text = textOf(each);
      const bytes = encode(text, each.encoding);
      fc.pre(bytes !== null);
      seen.add(each.language);
      const { currency } = MARKETPLACES[each.store];
      const { sums, rowCount, unreadLines, currencies } = await readOneReport(bytes ?? "", { currency });
      const sum = (column: "revenue" | "earnings" | "shipped" | "returned") =>
        each.rows.reduce((all, row) => all + row[column], 0);
      expect([rowCount, sums]).toEqual([
        each.rows.length,
        {
          earnings: sum("earnings"),
          revenue: sum("revenue"),
          shipped: sum("shipped"),
          returned: sum("returned"),
          ordered: null,
          clicks: null,
        },
      ]);
      expect(unreadLines).toHaveLength(each.hasTotal ? 1 : 0);
      if (each.headingSign !== "" || each.cellSign !== "") expect(currencies).toContain(currency);
    }),
    { numRuns: 200 },
  );
  expect([...seen].toSorted()).toEqual(Object.keys(LANGUAGES).toSorted());
});
