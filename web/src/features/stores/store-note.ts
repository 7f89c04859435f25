import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { ONELINK_HOME } from "@tapthru/proto/rules/amazon/onelink";
import { messages } from "@tapthru/proto/rules/messages";
import { LOCALE } from "../../lib/locale-formats.ts";
import { tagWarning } from "../tags/tag-warning.ts";
import { type StoreValues, tagIn } from "./store-values.ts";

/** What the note below a store's field says, unless there is an error. */
export function storeNote(marketplace: Marketplace, values: StoreValues): string | undefined {
  const warning = tagWarning(tagIn(values, marketplace), { marketplace }, values.oneLink);
  if (warning !== null) return warning;
  const mainTag = tagIn(values, ONELINK_HOME);
  const isServed = values.oneLink.some((store) => store === marketplace);
  return isServed && mainTag !== "" ? messages.oneLinkPaysHere(mainTag) : undefined;
}

const COUNTRY_NAMES = new Intl.DisplayNames(LOCALE, { type: "region" });

/** Such as "amazon.de (Germany)". */
export function storeName(marketplace: Marketplace): string {
  const { country } = MARKETPLACES[marketplace];
  return messages.storeIn(`amazon.${marketplace}`, COUNTRY_NAMES.of(country) ?? country);
}
