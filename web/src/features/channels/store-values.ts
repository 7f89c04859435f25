import { isMarketplace, MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { ONELINK_STORES, type OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import type { StoreTag } from "@tapthru/proto/stores";
import type { StoreChange } from "./save-stores.ts";

const STORES = Object.keys(MARKETPLACES).filter(isMarketplace);

export interface StoreValues {
  /** By country. A path of react-hook-form cannot contain a marketplace: it may have a dot. */
  tags: Record<string, string>;
  oneLink: OneLinkStore[];
}

export const tagField = (marketplace: Marketplace) => `tags.${MARKETPLACES[marketplace].country}` as const;

export function storeValues(tags: readonly StoreTag[], oneLink: readonly OneLinkStore[]): StoreValues {
  const tagOf = (store: Marketplace) => tags.find(({ marketplace }) => marketplace === store)?.tag;
  return {
    tags: Object.fromEntries(STORES.map((store) => [MARKETPLACES[store].country, tagOf(store) ?? ""])),
    oneLink: ONELINK_STORES.filter((store) => oneLink.includes(store)),
  };
}

export function tagIn({ tags }: StoreValues, marketplace: Marketplace): string {
  return tags[MARKETPLACES[marketplace].country]?.trim() ?? "";
}

export function storeChanges(values: StoreValues, saved: StoreValues): StoreChange[] {
  const serves = ({ oneLink }: StoreValues, store: OneLinkStore) => oneLink.includes(store);
  return [
    ...STORES.map((marketplace) => ({ marketplace, tag: tagIn(values, marketplace) })).filter(
      ({ marketplace, tag }) => tag !== tagIn(saved, marketplace),
    ),
    ...ONELINK_STORES.map((store) => ({
      marketplace: store,
      served: serves(values, store),
    })).filter(({ marketplace, served }) => served !== serves(saved, marketplace)),
  ];
}

/** The values after these changes. */
export function withChanges(values: StoreValues, changes: readonly StoreChange[]): StoreValues {
  const tags = { ...values.tags };
  const oneLink = new Set(values.oneLink);
  for (const change of changes) {
    if ("tag" in change) tags[MARKETPLACES[change.marketplace].country] = change.tag;
    else if (change.served) oneLink.add(change.marketplace);
    else oneLink.delete(change.marketplace);
  }
  return { tags, oneLink: ONELINK_STORES.filter((store) => oneLink.has(store)) };
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
