import type { ReportKind } from "@tapthru/proto/rules/earnings";
import { commonCurrencies, currenciesOf } from "./currencies.ts";

/**
 * The meanings of words of headings, in the languages of stores: as public programs read them, as Amazon's help names them, or as these
 * words are translated (docs/earnings.md).
 */
const WORDS = {
  asin: "asin",
  item: "item items product products unidades varor وحدات ítems article articles nombredarticles artikel artikeln artiklar artikelen produkt produkte produktu produkty produktow product producten przedmiot przedmiotu przedmioty przedmiotow articolo articoli prodotto prodotti oggetto oggetti articulo articulos producto productos produit produits produto produtos itens ürün ürünler ürünleri منتج منتجات عناصر سلع 商品 アイテム",
  name: "name title titel titolo nombre nome nom titre título tytuł nazwa bezeichnung naam namn adı اسم عنوان 名",
  category:
    "category categoria categoría catégorie kategorie kategoria kategori categorie warengruppe productgroup فئة カテゴリ カテゴリー",
  id: "id identifiant identificador identificativo identyfikator kimliği kimlik معرف رمز",
  track:
    "tracking monitoraggio seguimiento suivi rastreamento rastreio śledzenia spårnings spårning takip izleme تتبع トラッキング",
  tag: "tag associatetag",
  date: "date data datum fecha tarih tarihi تاريخ 日付 日",
  count:
    "qty quantity quantità qtà cantidad menge anzahl qté quantité quantidade qtd aantal ilość liczba antal adet adedi miktar كمية عدد 数量 数",
  order:
    "ordered order pedidas ordinati ordine pedidos pedido pedida commandés commande bestellt bestellte bestellter bestell besteld bestelde bestel zamówione zamówionych zamówienia beställda beställnings sipariş مطلوبة طلب 注文",
  ship: "shipped dispatched despatched enviadas despachados kargolanan spediti spedizione enviados envío envio expédiés expédition envoyés envoi versandt versandte versendete verschickte ausgelieferte versand verzonden verzend verzending wysłane wysłanych wysyłki skickade utskickade levererade leverans gönderilen gönderim sevkedilen sevk مشحونة شحن شحنها مرسلة 発送 出荷",
  back: "returns returned return resi restituiti devoluciones devueltos retouren retournierte rücksendungen rückgaben zurückgesandte retours retournés devoluções devolvidos geretourneerde retourzendingen zwroty zwrócone zwrotów returer returnerade iadeler iade مرتجعات مرتجعة 返品",
  sales:
    "revenue ricavi recettes umsätze erlöse 売上金額 売上げ 売り上げ entrate umsatz bestellwert chiffredaffaires receita receitas omzet opbrengst przychód przychody intäkter omsättning gelir geliri hasılat ciro إيرادات 売上 売上高",
  income: "income ingresos revenus revenu renda inkomsten inkomster دخل 収益 収入",
  fee: "fees fee tasse tarifas tarifa frais gebühren taxas tarifs kosten opłaty avgifter ücretleri ücreti رسوم 費 料",
  ad: "ad advertising pubblicitarie pubblicità publicidad publicitarias publicitaires publicité publicités anúncio anúncios reklamę advertenties werbe werbung publicidade advertentie reklamowe annons reklam إعلان إعلانات إعلانية 広告",
  paid: "earnings guadagni earned ganancias einnahmen verdienst verdienste rémunération gains ganhos zarobki kazanç kazançlar أرباح werbekostenerstattung",
  share:
    "commission commissions commissioni comisión comisiones provision provisionen provisions vergütung comissão comissões commissie commissies vergoeding vergoedingen prowizja prowizje prowizji komisyon komisyonlar عمولة عمولات 紹介料 コミッション",
  click:
    "clicks click clic clics klicks klick klikken kliks cliques clique kliknięcia kliknięć tıklamalar tıklama نقرات クリック",
  link: "link links linku enlace lien länk bağlantı verknüpfung رابط リンク",
  type: "type tipo typ art soort タイプ rodzaj türü نوع 種類",
  direct:
    "direct diretto directo direto direkt bezpośredni bezpośrednia doğrudan مباشر 直接 orderthroughproductlinks ordersthroughproductlinks ordiniattraversoillinkdelprodotto",
  other:
    "indirect indiretto indiretas indirette indirectas indirecto indirektes indirekte indirectes indireto indireta pośrednia indirekta dolaylı غيرمباشر 間接",
  sell: "sale sales acquistoidoneo vendite ventas verkäufe ventes vendas verkopen sprzedaż försäljning satış مبيعات 販売",
  amazon: "amazon",
  third: "3rdparty thirdparty",
  price: "price prezzo precio preis prix preço prijs cena pris fiyat fiyatı سعر 価格",
  rate: "conversion conversione conversión konversion konversionsrate conversão conversie konwersja konvertering dönüşüm تحويل コンバージョン rate tasa tasso taux taxa satz porcentagem stawka sats oranı نسبة 率 subtag %",
  total:
    "total totals totale totales totaux totali totalt totaal grand genel general geral razem łącznie ogółem suma toplam summe summa gesamt gesamtsumme insgesamt somma إجمالي مجموع 合計 総計",
  // They change nothing.
  "": "za uit de del della delle dei degli di da do das dos du des d la l le les el il lo los van der of von por per par for z edilen ال التي تم の された 済み",
} as const;

/** Which words of a heading, in any order, mean which column. */
const COLUMNS = {
  asin: "asin",
  name: "name, item, item name",
  category: "category, category item",
  tag: "tag, id track",
  date: "date, date order, date ship",
  quantity: "count",
  ordered: "item order, count order",
  orderedAtAmazon: "amazon item order",
  orderedAtOthers: "item order third",
  shipped: "item ship, count ship",
  returned: "back, back item",
  revenue: "sales, item sales ship",
  earnings: "paid, ad paid, fee paid, paid share, share, ad share, ad fee, ad income, income share, sales share",
  clicks: "click",
  direct: "direct, direct other, direct sell",
  indirect: "other, other sell, other sales",
  linkType: "link type",
} as const;

const MONEY: ReadonlySet<string | undefined> = new Set(["revenue", "earnings", "income", "total", "price"]);
const HEADING_MAX_LENGTH = 100;
const TOTAL_MAX_LENGTH = 20;

export type Column = keyof typeof COLUMNS;
export type Columns = Readonly<Partial<Record<Column, number>>>;

/** By their first letter, longer words first. */
const MEANINGS = Map.groupBy(
  Object.entries(WORDS)
    .flatMap(([meaning, words]) => words.split(" ").map((word) => [plainText(word), meaning] as const))
    .toSorted(([a], [b]) => b.length - a.length),
  ([word]) => word.charAt(0),
);
const COLUMN_OF = new Map(
  Object.entries(COLUMNS).flatMap(([column, names]) => names.split(", ").map((name) => [name, column as Column])),
);

/** Returns null if a part of the text is no known word. */
function meaningsIn(text: string): Set<string> | null {
  if (text.length > HEADING_MAX_LENGTH) return null;
  const found: (readonly string[] | undefined)[] = [];
  found[text.length] = [];
  for (let at = text.length - 1; at >= 0; at--) {
    const fits = ([word]: readonly [string, string]) => text.startsWith(word, at) && found[at + word.length];
    const [word = "", meaning = ""] = MEANINGS.get(text.charAt(at))?.find(fits) ?? [];
    if (word !== "") found[at] = [meaning, ...(found[at + word.length] ?? [])];
  }
  return found[0] === undefined ? null : new Set(found[0].filter((meaning) => meaning !== ""));
}

/**
 * `income`: of the two amounts, the one that no other heading is. `total`: of earnings, unless a heading has a part of them.
 * `price`, `rate`: it is known, and not shown.
 */
function columnOf(text: string): Column | "income" | "total" | "price" | "rate" | undefined {
  const meanings = meaningsIn(plainText(text));
  if (meanings === null) return undefined;
  if (meanings.has("rate")) return "rate";
  const hasTotal = meanings.delete("total");
  const name = () => [...meanings].toSorted().join(" ");
  if (!COLUMN_OF.has(name())) meanings.delete("count");
  if (!hasTotal && /^(?:item )?price$/.test(name())) return "price";
  const column = name() === "income" ? "income" : COLUMN_OF.get(name());
  return column === "earnings" && hasTotal ? "total" : column;
}

export function isTotal(cell: string): boolean {
  if (cell.length > TOTAL_MAX_LENGTH) return false;
  const meanings = meaningsIn(plainText(cell));
  return meanings?.size === 1 && meanings.has("total");
}

export const REQUIRED: Readonly<Record<ReportKind, readonly Column[]>> = {
  earnings: ["asin", "tag", "date", "shipped", "earnings"],
  orders: ["asin", "tag", "date"],
  tracking: ["tag", "clicks"],
  "daily-trends": ["date", "clicks"],
  bounties: ["date", "earnings"],
};

export interface Heading {
  columns: Columns;
  /** Those that all headings with a currency allow; null if none has one. */
  currencies: readonly string[] | null;
  repeated: readonly Column[];
  unknown: readonly number[];
  /** The indices of columns that have no amounts, unless these have a currency. */
  withoutAmounts: readonly number[];
}

export function readHeading(cells: readonly string[]): Heading {
  const columns: Partial<Record<Column, number>> = {};
  const repeated: Column[] = [];
  const unknown: number[] = [];
  const withoutAmounts: number[] = [];
  const incomes: number[] = [];
  const totals: number[] = [];
  const currencies: (readonly string[])[] = [];
  for (const [index, cell] of cells.entries()) {
    const { column, currencies: own } = readCell(cell);
    if (own !== null) currencies.push(own);
    if (column === "rate" || column === "direct" || column === "indirect") withoutAmounts.push(index);
    if (column === undefined) unknown.push(index);
    else if (column === "income") incomes.push(index);
    else if (column === "total") totals.push(index);
    else if (column === "price" || column === "rate") continue;
    else if (columns[column] !== undefined) repeated.push(column);
    else columns[column] = index;
  }
  const total = columns.earnings === undefined ? totals.shift() : undefined;
  if (total !== undefined) columns.earnings = total;
  const open = (["revenue", "earnings"] as const).filter((column) => columns[column] === undefined);
  if (open.length === 1 && incomes.length === 1) columns[open[0] ?? "revenue"] = incomes[0] ?? 0;
  else unknown.push(...incomes);
  unknown.push(...totals);
  return { columns, currencies: commonCurrencies(currencies), repeated, unknown, withoutAmounts };
}

function readCell(cell: string) {
  if (cell.length > HEADING_MAX_LENGTH) return { column: undefined, currencies: null };
  const text = cell.normalize("NFKC").trim();
  // `Revenue($)`, `Umsatz in EUR`, `Umsatz €`.
  for (const pattern of [/^(.*?)\s*[([]([^()[\]]*)[)\]]$/s, /^(.*?)(?:\s+in)?\s+(\S+)$/s, /^(.*?)(\p{Sc})$/su]) {
    const [, name = "", sign = ""] = pattern.exec(text) ?? [];
    const [column, currencies] = [columnOf(name), currenciesOf(sign)];
    if (column === undefined || currencies === null) continue;
    return MONEY.has(column) ? { column, currencies } : { column: undefined, currencies: null };
  }
  return { column: columnOf(text), currencies: null };
}

/** In lower case, without accents and what separates words: any other sign may be one of a currency. */
function plainText(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ı", "i")
    .replaceAll("ł", "l")
    .replaceAll(/[\s\p{M}\p{Cf}\p{Pd}\p{Pc}()[\]"'’.,:;/#*&]/gu, "");
}

/** `ignored`: one of Amazon's reports from which nothing is shown, or one that is not known. */
type RecognizedKind = ReportKind | "ignored";

const KINDS: Readonly<Record<string, RecognizedKind>> = {
  feeearnings: "earnings",
  feeorders: "orders",
  feetracking: "tracking",
  feedailytrends: "daily-trends",
  bounty: "bounties",
  bounties: "bounties",
};
const NAME =
  /(?<!\p{L})(?:fee[-_ ]?(?:earnings|orders|tracking|daily[-_ ]?trends|link|bonus)[a-z]*|fee[-_][a-z]+|bonus[-_ ]?earnings|bount(?:y|ies)[a-z]*)/iu;
/** A word that goes on with the name, and does not follow it as in `reports from`, `Berichte vom` or `レポート`. */
const MORE_OF_NAME =
  /^[-_\s]*(?!(?:reports?|berichte?|rapports?|informes?|relat[oó]rios?|overzicht|raporty?|raporu|rapporter|from|for|of|vom|von|del?|du|dal|van|za|från)(?!\p{L})|レポート|تقرير)\p{L}/iu;

/** The kind of a report by its whole name, in its title row or, if people add words, in the name of its file. */
export function kindByName(text: string, isTitle: boolean): RecognizedKind | null {
  const name = NAME.exec(text);
  if (name === null) return null;
  const rest = text.slice(name.index + name[0].length);
  return isTitle && MORE_OF_NAME.test(rest) ? "ignored" : (KINDS[plainText(name[0])] ?? "ignored");
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

export function isComplete(kind: ReportKind, { columns, repeated }: Heading): boolean {
  const hasQuantity = columns.quantity !== undefined || columns.ordered !== undefined;
  return (
    (kind !== "orders" || hasQuantity) &&
    REQUIRED[kind].every((column) => columns[column] !== undefined) &&
    repeated.every((column) => column === "name" || column === "linkType")
  );
}
