import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";

/** Codes of the Ads API that differ from ISO 3166-1. */
const ISO_CODES: Record<string, string> = { UK: "GB" };

const COUNTRY_NAMES = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** The country and the store of an advertising profile, such as "Germany, amazon.de". */
export function marketplaceName(countryCode: string): string {
  const code = ISO_CODES[countryCode] ?? countryCode;
  if (!/^[A-Z]{2}$/.test(code)) return countryCode;
  const name = COUNTRY_NAMES.of(code) ?? code;
  const store = Object.entries(MARKETPLACES).find(([, { country }]) => country === code);
  return store ? `${name}, amazon.${store[0]}` : name;
}
