import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { LOCALE } from "./locale-formats.ts";

const COUNTRY_NAMES = new Intl.DisplayNames(LOCALE, { type: "region" });

/** Such as "amazon.de (Germany)". */
export function storeName(marketplace: Marketplace): string {
  const { country } = MARKETPLACES[marketplace];
  return `amazon.${marketplace} (${COUNTRY_NAMES.of(country) ?? country})`;
}

/** For a list to choose from, in the order of the names. */
export const STORE_OPTIONS = (Object.keys(MARKETPLACES) as Marketplace[])
  .map((marketplace) => [marketplace, storeName(marketplace)] as const)
  .toSorted(([, one], [, other]) => one.localeCompare(other, LOCALE));
