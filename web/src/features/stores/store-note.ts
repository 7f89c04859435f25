import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { ONELINK_HOME } from "@tapthru/proto/rules/amazon/onelink";
import { tagWarning } from "../tags/tag-note.tsx";
import { type StoreValues, tagIn } from "./store-values.ts";

export { storeName } from "../../lib/store-name.ts";

/** What the note below a store's field says, unless there is an error. */
export function storeNote(marketplace: Marketplace, values: StoreValues): string | undefined {
  const warning = tagWarning(tagIn(values, marketplace), marketplace, values.oneLink);
  if (warning !== null) return warning;
  const mainTag = tagIn(values, ONELINK_HOME);
  const isServed = values.oneLink.some((store) => store === marketplace);
  return isServed && mainTag !== "" ? `Amazon OneLink pays your tag ${mainTag} here.` : undefined;
}
