import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";

/** A product's title, by the first language of a store. */
const LAMP_TITLES: Record<string, string> = {
  ar: "مصباح مكتب قابل للتعتيم",
  de: "Schreibtischlampe, dimmbar – Größe L",
  en: "Desk lamp, dimmable",
  es: "Lámpara de escritorio regulable (año 2026)",
  fr: "Lampe de bureau à intensité réglable, œil-de-bœuf",
  it: "Lampada da scrivania dimmerabile, qualità più alta",
  ja: "デスクライト 調光式【2026年版】",
  nl: "Bureaulamp, dimbaar, 25 €",
  pl: "Lampka na biurko z możliwością ściemniania",
  pt: "Luminária de mesa com regulação",
  sv: "Skrivbordslampa, dimbar, för två",
  tr: "Masa lambası, kısılabilir, ışıklı",
  zh: "可调光台灯",
};

export function localizedLamp(marketplace: Marketplace): { language: string; title: string } {
  const [language = "en"] = MARKETPLACES[marketplace].languages;
  return { language, title: LAMP_TITLES[language] ?? "" };
}
