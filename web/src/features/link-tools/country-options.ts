import { messages } from "@tapthru/proto/rules/messages";
import { ROUTED_COUNTRIES } from "@tapthru/proto/rules/routing/country-stores";

/** Visitors whose country is unknown, or has no store. */
export const OTHER_COUNTRY = "";

/** In English, like the rest of the page. */
const LOCALE = "en";
const NAMES = new Intl.DisplayNames(LOCALE, { type: "region" });
const { compare } = new Intl.Collator(LOCALE);

/** The countries with a store, by name, after one option for all others. */
export const COUNTRY_OPTIONS: readonly (readonly [code: string, name: string])[] = [
  [OTHER_COUNTRY, messages.otherCountry],
  ...ROUTED_COUNTRIES.map((code) => [code, NAMES.of(code) ?? code] as const).sort(([, a], [, b]) =>
    compare(a, b),
  ),
];
