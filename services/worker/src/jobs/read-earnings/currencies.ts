import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";

const WRITTEN: Readonly<Record<string, string>> = {
  CAD: "C$ CDN$ CAN$",
  SGD: "S$",
  MXN: "MEX$",
  INR: "RS",
  TRY: "TL",
  PLN: "ZL",
  AED: "DH DHS درهم",
  SAR: "SR ريال ﷼",
  EGP: "LE E£ £E جنيه",
  CNY: "RMB",
};
const CODES = new Set(Intl.supportedValuesOf("currency"));
/** Languages have up to six forms of a name, by the amount. */
const COUNTED = [0, 0.5, 1, 2, 3, 11, 100, 1e6];

let signs: ReadonlyMap<string, readonly string[]> | undefined;

/** The currencies of stores that a sign, name or code may mean, or another one by its code; null if it is none. */
export function currenciesOf(sign: string): readonly string[] | null {
  signs ??= findSigns();
  const text = plainSign(sign);
  return signs.get(text) ?? (CODES.has(text) ? [text] : null);
}

/** Returns null if nothing names a currency. */
export function commonCurrencies(named: readonly (readonly string[] | null)[]): readonly string[] | null {
  const [first, ...others] = named.filter((currencies) => currencies !== null);
  return first?.filter((currency) => others.every((list) => list.includes(currency))) ?? null;
}

/** How all stores write the currencies of all stores, each in its languages, and how people do. */
function findSigns(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  const stores = Object.values(MARKETPLACES);
  const locales = stores.flatMap(({ country, languages }) => languages.map((language) => `${language}-${country}`));
  for (const { currency, country } of new Map(stores.map((store) => [store.currency, store])).values()) {
    const add = (sign: string) => {
      const text = plainSign(sign);
      found.set(text, (found.get(text) ?? new Set()).add(currency));
    };
    for (const locale of locales) {
      for (const currencyDisplay of ["symbol", "name"] as const) {
        const format = new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay });
        const parts = (currencyDisplay === "name" ? COUNTED : [1]).flatMap((amount) => format.formatToParts(amount));
        const signs = new Set(parts.filter(({ type }) => type === "currency").map(({ value }) => value));
        // US$, $US and USD$.
        for (const sign of signs) [sign, country + sign, sign + country, currency + sign].forEach(add);
      }
    }
    [currency, ...(WRITTEN[currency]?.split(" ") ?? [])].forEach(add);
  }
  return new Map([...found].map(([sign, currencies]) => [sign, [...currencies]]));
}

/** In upper case, without spaces, dots, hyphens and marks of the writing direction. */
function plainSign(sign: string): string {
  return sign
    .normalize("NFKC")
    .replaceAll(/[\s.\p{Pd}\p{Cf}]/gu, "")
    .toUpperCase();
}
