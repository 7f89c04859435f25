import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { messages } from "@tapthru/proto/rules/messages";

const COUNTRY_NAMES = new Intl.DisplayNames("en", { type: "region" });

/** Such as "amazon.de (Germany)". */
export function storeName(marketplace: Marketplace): string {
  const { country } = MARKETPLACES[marketplace];
  return messages.storeIn(`amazon.${marketplace}`, COUNTRY_NAMES.of(country) ?? country);
}
