import type { Channel } from "@tapthru/proto/channels";
import type { StoreTag } from "@tapthru/proto/fields";
import { isMarketplace, MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";

const STORES = Object.keys(MARKETPLACES).filter(isMarketplace);

export interface StoreValues {
  /** By channel and country. A path of react-hook-form cannot contain a marketplace: it may have a dot. */
  tags: Record<string, string>;
}

export interface ChannelTag extends StoreTag {
  channelId: number;
}

const key = (channelId: number, store: Marketplace) => `${channelId}_${MARKETPLACES[store].country}`;

export const tagField = (channelId: number, store: Marketplace) => `tags.${key(channelId, store)}` as const;

export function storeValues(channels: readonly Channel[]): StoreValues {
  const found = channels.flatMap(({ id, tags }) => {
    const tagOf = (store: Marketplace) => tags.find(({ marketplace }) => marketplace === store)?.tag;
    return STORES.map((store) => [key(id, store), tagOf(store) ?? ""]);
  });
  return { tags: Object.fromEntries(found) };
}

export const tagIn = ({ tags }: StoreValues, channelId: number, store: Marketplace) =>
  tags[key(channelId, store)]?.trim() ?? "";

export function storeChanges(channels: readonly Channel[], values: StoreValues, saved: StoreValues): ChannelTag[] {
  return channels.flatMap(({ id: channelId }) =>
    STORES.map((marketplace) => ({ channelId, marketplace, tag: tagIn(values, channelId, marketplace) })).filter(
      ({ marketplace, tag }) => tag !== tagIn(saved, channelId, marketplace),
    ),
  );
}

/** The stores with a tag, then those that links lead to, and all others. */
export function orderStores(channels: readonly Channel[], linkStores: readonly Marketplace[]) {
  const tagged = channels.flatMap(({ tags }) => tags.map(({ marketplace }) => marketplace));
  const used = STORES.filter((store) => tagged.includes(store));
  used.push(...STORES.filter((store) => !tagged.includes(store) && linkStores.includes(store)));
  const shown: Marketplace[] = used.length > 0 ? used : ["com"];
  return { used: shown, others: STORES.filter((store) => !shown.includes(store)) };
}

/** How many links of a channel to a store have no tag. */
export const untaggedCount = ({ untagged }: Channel, store: Marketplace): number =>
  untagged.find(({ marketplace }) => marketplace === store)?.linkCount ?? 0;
