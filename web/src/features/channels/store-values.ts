import { isMarketplace, MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import type { StoreTag } from "@tapthru/proto/stores";

const STORES = Object.keys(MARKETPLACES).filter(isMarketplace);

export interface StoreValues {
  /** By country. A path of react-hook-form cannot contain a marketplace: it may have a dot. */
  tags: Record<string, string>;
}

export const tagField = (marketplace: Marketplace) => `tags.${MARKETPLACES[marketplace].country}` as const;

export function storeValues(tags: readonly StoreTag[]): StoreValues {
  const tagOf = (store: Marketplace) => tags.find(({ marketplace }) => marketplace === store)?.tag;
  return { tags: Object.fromEntries(STORES.map((store) => [MARKETPLACES[store].country, tagOf(store) ?? ""])) };
}

export function tagIn({ tags }: StoreValues, marketplace: Marketplace): string {
  return tags[MARKETPLACES[marketplace].country]?.trim() ?? "";
}

export function storeChanges(values: StoreValues, saved: StoreValues): StoreTag[] {
  return STORES.map((marketplace) => ({ marketplace, tag: tagIn(values, marketplace) })).filter(
    ({ marketplace, tag }) => tag !== tagIn(saved, marketplace),
  );
}

/** The stores with a tag, then those that links lead to, and all others. */
export function orderStores(
  saved: StoreValues,
  linkStores: readonly Marketplace[],
): { used: Marketplace[]; others: Marketplace[] } {
  const hasTag = (store: Marketplace) => tagIn(saved, store) !== "";
  const linked = STORES.filter((store) => !hasTag(store) && linkStores.includes(store));
  const used = [...STORES.filter(hasTag), ...linked];
  const shown: Marketplace[] = used.length > 0 ? used : ["com"];
  return { used: shown, others: STORES.filter((store) => !shown.includes(store)) };
}
