import { useQuery } from "@tanstack/react-query";
import type { Channel } from "@tapthru/proto/channels";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { LINK_QUERY, queryOf } from "../../lib/http/query-presets.ts";

export const channelsOptions = { ...queryOf("GET /api/channels"), ...LINK_QUERY };

const NONE: Channel[] = [];

/** The user's channels; empty while they are unknown. */
export function useChannels(): readonly Channel[] {
  // Each part of a page that mounts after a failure would start another request, for which others wait.
  const { data = NONE } = useQuery({ ...channelsOptions, retryOnMount: false });
  return data;
}

/** The channel with this id; null: the default one. Undefined while it is unknown. */
export function findChannel(channels: readonly Channel[], id: number | null): Channel | undefined {
  return channels.find((each) => (id === null ? each.isDefault : each.id === id));
}

export function channelTag(channel: Channel | undefined, store: Marketplace | undefined): string | undefined {
  return channel?.tags.find(({ marketplace }) => marketplace === store)?.tag;
}

export const oneLinkStoresOptions = queryOf("GET /api/onelink-stores");
