/**
 * The meanings of words of headings, in the languages of stores: as public programs read them, as Amazon's help names them, or as these
 * words are translated (docs/earnings.md).
 */
export const WORDS = {
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
export const COLUMNS = {
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

export type Column = keyof typeof COLUMNS;
export type Columns = Readonly<Partial<Record<Column, number>>>;
