export interface MarketplaceInfo {
  /** Country code (ISO 3166-1 alpha-2). */
  country: string;
  /** Currency code (ISO 4217). */
  currency: string;
  /** Language codes (ISO 639-1), the store's main language first. */
  languages: readonly string[];
  /** The usual suffix of Associates tags of this store; null if unknown. */
  tagSuffix: string | null;
}

/**
 * All Amazon stores. Sources: the locale list of Amazon's product API
 * (webservices.amazon.com/paapi5/documentation/locale-reference.html) and the scope of its bug bounty.
 */
const STORES = {
  com: store("US", "USD", "en es", "-20"),
  ca: store("CA", "CAD", "en fr", "-20"),
  "com.mx": store("MX", "MXN", "es", "-20"),
  "com.br": store("BR", "BRL", "pt", "-20"),
  "co.uk": store("GB", "GBP", "en", "-21"),
  de: store("DE", "EUR", "de en nl pl tr cs", "-21"),
  fr: store("FR", "EUR", "fr en", "-21"),
  it: store("IT", "EUR", "it en", "-21"),
  es: store("ES", "EUR", "es en pt", "-21"),
  nl: store("NL", "EUR", "nl en", "-21"),
  se: store("SE", "SEK", "sv en", "-21"),
  pl: store("PL", "PLN", "pl en", "-21"),
  "com.be": store("BE", "EUR", "fr nl en", "-21"),
  ie: store("IE", "EUR", "en", "-21"),
  "com.tr": store("TR", "TRY", "tr", "-21"),
  ae: store("AE", "AED", "en ar", "-21"),
  sa: store("SA", "SAR", "ar en", "-21"),
  eg: store("EG", "EGP", "ar en", "-21"),
  "co.za": store("ZA", "ZAR", "en", null),
  in: store("IN", "INR", "en hi ta te kn ml", "-21"),
  "co.jp": store("JP", "JPY", "ja en zh", "-22"),
  sg: store("SG", "SGD", "en", "-22"),
  "com.au": store("AU", "AUD", "en", "-22"),
  cn: store("CN", "CNY", "zh", "-23"),
};

/** The part of a store's host after `amazon.`. */
export type Marketplace = keyof typeof STORES;
export const MARKETPLACES: Readonly<Record<Marketplace, MarketplaceInfo>> = STORES;

function store(
  country: string,
  currency: string,
  languages: string,
  tagSuffix: MarketplaceInfo["tagSuffix"],
): MarketplaceInfo {
  return { country, currency, languages: languages.split(" "), tagSuffix };
}

export function isMarketplace(text: string): text is Marketplace {
  return Object.hasOwn(MARKETPLACES, text);
}
