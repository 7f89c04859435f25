import { expect, it } from "vitest";
import { readHeading } from "./headings.ts";
import { kindByName } from "./kinds.ts";

/** In English, German, French, Italian, Spanish, Portuguese, Dutch, Polish, Swedish, Turkish, Arabic and Japanese. */
const HEADINGS: Readonly<Record<string, string>> = {
  name: "Name|Product Title|Item Name|Produkt|Produkttitel|Artikelbezeichnung|Artikelname|Nom|Nom de l'article|Titre du produit|Prodotto|Nome articolo|Nombre|Nombre del artículo|Nome do produto|Artikelnaam|Productnaam|Nazwa przedmiotu|Artikelnamn|Ürün Adı|ÜRÜN ADI|اسم المنتج|商品名",
  category:
    "Category|Item category|Kategorie|Warengruppe|Catégorie|Categoria|Categoría|Categorie|Kategoria|Kategori|فئة|カテゴリー",
  tag: "Tracking ID|Tag|TrackingID|tracking-id|Monitoraggio ID|ID di monitoraggio|ID de seguimiento|ID de suivi|Identifiant de suivi|ID de rastreamento|Identyfikator śledzenia|Spårnings-ID|Takip Kimliği|معرف التتبع|معرّف التتبّع|トラッキングID|トラッキング ＩＤ",
  date: "Date|Date Shipped|Date Dispatched|Versanddatum|Bestelldatum|Data Spedizione|Data ordine|Fecha de envío|Fecha del pedido|Date d'expédition|Date d’expédition|Data do envio|Verzenddatum|Besteldatum|Data wysyłki|Data zamówienia|Leveransdatum|Gönderim Tarihi|Sipariş Tarihi|تاريخ الشحن|تاريخ الطلب|発送日|注文日",
  quantity: "Qty|Quantity|Menge|Anzahl|Quantità|Cantidad|Qté|Quantidade|Aantal|Ilość|Antal|Adet|Miktar|الكمية|数量",
  ordered:
    "Items Ordered|Ordered Items|Total Ordered Items|Qty ordered|Bestellte Artikel|Bestellte Produkte|Anzahl bestellter Artikel|Articoli ordinati|Totale articoli ordinati|Artículos pedidos|Total de artículos pedidos|Articles commandés|Nombre d'articles commandés|Produtos pedidos|Itens pedidos|Bestelde artikelen|Zamówione przedmioty|Totalt antal beställda artiklar|Sipariş Edilen Ürünler|المنتجات المطلوبة|注文商品数|注文された商品|注文商品の合計",
  orderedAtAmazon: "Items Ordered (Amazon)|Articoli ordinati (Amazon)|注文商品数 (Amazon)",
  orderedAtOthers: "Items Ordered (3rd Party)|Articoli ordinati (3rd Party)",
  shipped:
    "Items Shipped|Shipped Items|Items Dispatched|Items Despatched|Unidades enviadas|Skickade varor|Versandte Artikel|Versendete Artikel|Ausgelieferte Artikel|Prodotti spediti|oggetti spediti|Artículos enviados|Articles expédiés|Articles envoyés|Produtos enviados|Verzonden artikelen|Wysłane przedmioty|Utskickade artiklar|Skickade artiklar|Gönderilen Ürünler|المنتجات المشحونة|المنتجات التي تم شحنها|発送済み商品|発送済み商品数|発送された商品",
  returned:
    "Returns|Returned Items|Retouren|Rücksendungen|Resi|Devoluciones|Artículos devueltos|Retours|Articles retournés|Devoluções|Itens devolvidos|Geretourneerde artikelen|Zwroty|Zwrócone przedmioty|Returer|İadeler|İade Edilen Ürünler|المرتجعات|返品|返品数",
  revenue:
    "Revenue|Revenue($)|Revenue(US$)|Revenue (MX$)|Revenue(R)|Revenue USD|Shipped Items Revenue|Umsatz|Umsatz in EUR|Umsatz €|Umsatz [EUR]|Ricavi (€)|delle entrate (€)|Chiffre d'affaires(€)|Receita (R$)|Receita de produtos enviados|Omzet|Przychód (zł)|Intäkter (kr)|Gelir (TL)|Gelir(₺)|الإيرادات (د.إ)|الإيرادات (ر.س.)|Recettes|Umsätze|売上金額|売上（円）|売上(￥)",
  earnings:
    "Ad Fees($)|Ad Fees(US$)|Advertising Fees($)|Commission Income($)|Total Commission Income (USD)|Earnings|Total Earnings|Einnahmen|Werbekostenerstattung|Provision|Provisionseinnahmen|Commissioni pubblicitarie|tasse pubblicitarie (€)|Guadagni|Comisiones|Tarifas de publicidad|Ganancias|Ingresos por comisiones|Commissions|Frais publicitaires|Revenus de commissions|Comissão|Taxas de publicidade|Ganhos|Commissie-inkomsten|Advertentievergoeding|Zarobki|Prowizja|Opłaty reklamowe|Przychody z prowizji|Provisionsintäkter|Annonsavgifter|Kazanç|Komisyon Geliri|Reklam Ücretleri|الأرباح|رسوم الإعلانات|دخل العمولة|紹介料|紹介料(円)|Fees earned|Revenus publicitaires|Frais de publicité|Taxas de anúncios|Opłaty za reklamę|Inkomsten uit advertenties|Ad Fees(Rs.)|Ad Fees(CDN$)",
  clicks: "Clicks|Klicks|Clic|Clics|Cliques|Klikken|Kliknięcia|Klick|Tıklamalar|TIKLAMALAR|النقرات|クリック数",
  direct:
    "Direct|Direct Sale|Direct/Indirect|Orders through product links|Acquisto idoneo diretto|Direkt|Doğrudan|直接",
  indirect: "Indirect Sales|Ventas indirectas|Indirekte Verkäufe|Ventes indirectes|Vendas indiretas|間接売上",
  linkType: "Link Type|Linkart|Tipo de enlace|tipo di link|リンクの種類",
};

it.each(Object.entries(HEADINGS))("%s is read from the words of each language", (column, texts) => {
  for (const text of texts.split("|")) expect([text, readHeading([text]).columns]).toEqual([text, { [column]: 0 }]);
});

it.each([
  [
    "a sign that is no currency of a store",
    "Ad Fees(₩)|₩ Ad Fees|Ad Fees ₩|Ad Fees(₽)|Revenue(₪)|Revenue₫|Einnahmen (Fr.)",
  ],
  ["another amount", "Bounty Earnings($)|Foo Income($)|Bonus($)|Ordered Revenue|Earnings per click|Fees"],
  ["a part of the orders", "Items Ordered Through Direct Links|All Other Items Ordered|Orders"],
  ["more than a hundred characters", `${"total ".repeat(20)}Earnings`],
])("a heading with %s is not known", (_, texts) => {
  for (const text of texts.split("|")) {
    expect([text, readHeading([text])]).toEqual([
      text,
      { columns: {}, currencies: null, repeated: [], unknown: [0], withoutAmounts: [] },
    ]);
  }
});

it("a currency that no store has stays one", () => {
  expect(readHeading(["Ad Fees(CHF)"])).toMatchObject({ columns: { earnings: 0 }, currencies: ["CHF"] });
  expect(readHeading(["Price(CHF)", "Ad Fees(€)"])).toMatchObject({ columns: { earnings: 1 }, currencies: [] });
});

it.each([
  [["Ingresos", "Comisiones"], { revenue: 0, earnings: 1 }],
  [["Revenus", "Chiffre d'affaires"], { earnings: 0, revenue: 1 }],
  [["Omzet", "Inkomsten"], { revenue: 0, earnings: 1 }],
  [["Income", "Clicks"], { clicks: 1 }],
  [["Income", "Ingresos", "Umsatz"], { revenue: 2 }],
])("a word for either amount is the one that no other heading is: %j", (cells, columns) => {
  expect(readHeading(cells).columns).toEqual(columns);
});

it("total earnings are not known beside a part of them", () => {
  expect(readHeading(["Total Earnings", "Ad Fees"])).toMatchObject({ columns: { earnings: 1 }, unknown: [0] });
  expect(readHeading(["Commissioni", "Guadagni totali"])).toMatchObject({ columns: { earnings: 0 }, unknown: [1] });
  expect(readHeading(["Earnings", "Commission Income"])).toMatchObject({ repeated: ["earnings"] });
});

it.each([
  ["Fee-Earnings reports from 09-01-2026 to 09-30-2026", "earnings"],
  ["Fee-Earnings-Berichte vom 01.09.2026 bis 30.09.2026", "earnings"],
  ["Fee-Earningsレポート", "earnings"],
  ["Fee earnings report from 06/01/2026", "earnings"],
  ["Fee-Orders", "orders"],
  ["Fee-Daily-Trends reports from", "daily-trends"],
  ["Bounty reports from", "bounties"],
  ["Fee-OrdersWithClicks reports from", "ignored"],
  ["Fee-Orders With Clicks reports from", "ignored"],
  ["Fee-Orders\u00A0With Clicks reports from", "ignored"],
  ["Fee-EarningsSummary reports from", "ignored"],
  ["Fee-Tracking-Details reports from", "ignored"],
  ["BountyEvents reports from", "ignored"],
  ["Fee-Shoppable reports from", "ignored"],
  ["Coffee orders report", null],
  ["My feedback", null],
])("a report is known by its whole name: %s", (title, kind) => {
  expect(kindByName(title, true)).toBe(kind);
});

it.each([
  ["1749669098694-Fee-DailyTrends-4361922d-46c0-XLSX.csv", "daily-trends"],
  ["Fee-Orders September (2).csv", "orders"],
  ["reports/Fee-OrdersWithClicks-a0b1.csv", "ignored"],
])("people add words to the name of a file: %s", (fileName, kind) => {
  expect(kindByName(fileName, false)).toBe(kind);
});
