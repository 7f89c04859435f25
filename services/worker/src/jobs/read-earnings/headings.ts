import type { ReportKind } from "@tapthru/proto/rules/earnings";

/**
 * The headings of Amazon's reports by what their column has, without spaces, signs, accents and currency. English ones and
 * Italian ones are known from programs that read such files, some Spanish ones too. The others follow from the words that
 * Amazon's help pages use (docs/earnings.md).
 */
const HEADINGS = {
  asin: "asin",
  name: "name productname nombre producto prodotto produkt artikelbezeichnung nom produit 商品名 商品",
  tag: "trackingid tag monitoraggioid iddeseguimiento iddisuivi iddesuivi identifiantdesuivi トラッキングid",
  date: "date dateshipped dateordered data dataspedizione datum versanddatum fecha fechadeenvio fechadepedido datedexpedition datedecommande 日付 発送日 注文日",
  quantity: "qty quantity quantita cantidad menge anzahl qte quantite 数量",
  ordered:
    "itemsordered totalitemsordered articoliordinati totalearticoliordinati articulospedidos totaldearticulospedidos bestellteartikel bestellteartikelinsgesamt articlescommandes totaldesarticlescommandes 注文商品数 注文された商品 注文商品の合計",
  orderedAtAmazon:
    "itemsorderedamazon articoliordinatiamazon articulospedidosamazon bestellteartikelamazon articlescommandesamazon 注文商品数amazon",
  orderedAtOthers:
    "itemsordered3rdparty articoliordinati3rdparty articulospedidos3rdparty bestellteartikel3rdparty articlescommandes3rdparty 注文商品数3rdparty",
  shipped:
    "itemsshipped prodottispediti oggettispediti articulosenviados productosenviados versandteartikel ausgelieferteartikel articlesexpedies 発送済み商品 発送済み商品数",
  returned: "returns resi devoluciones retouren rucksendungen ruckgaben retours 返品 返品数",
  revenue: "revenue ricavi delleentrate ingresos umsatz chiffredaffaires 売上",
  earnings:
    "adfees earnings commissionipubblicitarie tassepubblicitarie comisiones tarifasdepublicidad ganancias einnahmen werbekostenerstattung commissions fraispublicitaires remuneration 紹介料",
  clicks: "clicks clic clics klicks クリック数 クリック",
  direct:
    "direct directindirect directsale orderthroughproductlinks ordersthroughproductlinks acquistoidoneodiretto ordiniattraversoillinkdelprodotto directo direkt 直接",
  indirect: "indirectsales ventasindirectas indirekteverkaufe ventesindirectes",
  linkType: "linktype tipodilink tipodeenlace linktyp typedelien リンクの種類",
} as const;

export type Column = keyof typeof HEADINGS;
/** The index of the cell of each column that a report has. */
export type Columns = Readonly<Partial<Record<Column, number>>>;

const COLUMN_OF = new Map(
  Object.entries(HEADINGS).flatMap(([column, names]) =>
    names.split(" ").map((name) => [plainText(name), column as Column]),
  ),
);

/** Without one of them a file of the kind cannot be read. */
const REQUIRED: Readonly<Record<ReportKind, readonly Column[]>> = {
  earnings: ["asin", "tag", "date", "shipped", "earnings"],
  orders: ["asin", "tag", "date"],
  tracking: ["tag", "clicks"],
  "daily-trends": ["date", "clicks"],
  bounties: ["date", "earnings"],
};

const CURRENCIES: Readonly<Record<string, readonly string[]>> = {
  $: ["USD", "CAD", "MXN", "AUD", "SGD"],
  R$: ["BRL"],
  C$: ["CAD"],
  CDN$: ["CAD"],
  A$: ["AUD"],
  AU$: ["AUD"],
  S$: ["SGD"],
  "€": ["EUR"],
  "£": ["GBP"],
  "¥": ["JPY", "CNY"],
  円: ["JPY"],
  "₹": ["INR"],
  "RS.": ["INR"],
  RS: ["INR"],
  KR: ["SEK"],
  ZŁ: ["PLN"],
  TL: ["TRY"],
};

/** The currencies that a sign or code may mean; null if it is none. */
export function currenciesOf(sign: string): readonly string[] | null {
  const text = sign.normalize("NFKC").trim().toUpperCase();
  return CURRENCIES[text] ?? (/^[A-Z]{3}$/.test(text) ? [text] : null);
}

export interface Heading {
  columns: Columns;
  /** Those that all headings with a currency allow; null if none has one. */
  currencies: readonly string[] | null;
  /** Columns of which there are two. */
  repeated: readonly Column[];
}

const HEADING_MAX_LENGTH = 100;

export function readHeading(cells: readonly string[]): Heading {
  const columns: Partial<Record<Column, number>> = {};
  const repeated: Column[] = [];
  const currencies: (readonly string[])[] = [];
  for (const [index, cell] of cells.entries()) {
    if (cell.length > HEADING_MAX_LENGTH) continue;
    const [, name = cell, sign = ""] = /^(.*)\(([^()]*)\)\s*$/s.exec(cell.normalize("NFKC")) ?? [];
    const own = currenciesOf(sign);
    if (own !== null) currencies.push(own);
    const column = COLUMN_OF.get(plainText(own === null ? cell : name));
    if (column === undefined) continue;
    if (columns[column] === undefined) columns[column] = index;
    else repeated.push(column);
  }
  return { columns, currencies: commonCurrencies(currencies), repeated };
}

/** Null if nothing names a currency. */
export function commonCurrencies(named: readonly (readonly string[] | null)[]): readonly string[] | null {
  const [first, ...others] = named.filter((currencies) => currencies !== null);
  return first?.filter((currency) => others.every((list) => list.includes(currency))) ?? null;
}

/** Letters and digits in lower case, without accents. */
function plainText(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** `ignored`: one of Amazon's reports from which nothing is shown. */
type RecognizedKind = ReportKind | "ignored";

const KINDS_BY_NAME: readonly [RegExp, RecognizedKind][] = [
  [/fee[- ]?(?:link[- ]?type|bonus)|bonus[- ]?earnings/i, "ignored"],
  [/fee[- ]?earnings/i, "earnings"],
  [/fee[- ]?orders/i, "orders"],
  [/fee[- ]?tracking/i, "tracking"],
  [/fee[- ]?daily[- ]?trends/i, "daily-trends"],
  [/\bbounty/i, "bounties"],
];

/** @param names the title row and the name of the file, the most reliable first */
export function kindByName(names: readonly string[]): RecognizedKind | null {
  for (const name of names) {
    const found = KINDS_BY_NAME.find(([pattern]) => pattern.test(name));
    if (found !== undefined) return found[1];
  }
  return null;
}

export function kindByColumns(columns: Columns): RecognizedKind | null {
  const has = (column: Column) => columns[column] !== undefined;
  if (has("asin")) {
    if (has("earnings")) return "earnings";
    if (has("quantity") || has("ordered")) return "orders";
    // The column that shows it is missing.
    if (has("tag") && has("date")) return has("shipped") ? "earnings" : "orders";
    return null;
  }
  if (has("clicks")) {
    if (has("tag")) return "tracking";
    if (has("date")) return "daily-trends";
    return has("linkType") ? "ignored" : null;
  }
  return has("earnings") && has("date") ? "bounties" : null;
}

/** Whether a report of the kind has all columns that it needs, and none of them twice. */
export function isComplete(kind: ReportKind, { columns, repeated }: Heading): boolean {
  const hasQuantity = columns.quantity !== undefined || columns.ordered !== undefined;
  return (
    (kind !== "orders" || hasQuantity) &&
    REQUIRED[kind].every((column) => columns[column] !== undefined) &&
    repeated.every((column) => column === "name" || column === "linkType")
  );
}
