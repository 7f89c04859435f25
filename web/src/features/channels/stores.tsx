import { useQueries } from "@tanstack/react-query";
import type { Channel } from "@tapthru/proto/channels";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { ONELINK_HOME, type OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { useMemo } from "react";
import { Card } from "../../components/ui/card.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";
import { channelsOptions, oneLinkStoresOptions } from "./api.ts";
import { ChannelBar, useChosenChannel } from "./channel-bar.tsx";
import { OneLinkStores } from "./onelink.tsx";
import { storeValues, tagIn } from "./store-values.ts";
import { StoresForm } from "./stores-form.tsx";

/**
 * The user's channels, with their tag in each Amazon store, and the stores that OneLink serves.
 * @param linkStores the stores of the user's links; undefined while they load
 */
export function Stores({ linkStores }: { linkStores: readonly Marketplace[] | undefined }) {
  const [channels, served] = useQueries({
    queries: [{ ...channelsOptions, ...SETTINGS_QUERY }, oneLinkStoresOptions],
  });
  const data =
    channels.data && served.data && linkStores
      ? { channels: channels.data, served: served.data, linkStores }
      : undefined;
  const query = {
    isError: channels.isError || served.isError,
    refetch: () => Promise.all([channels.refetch(), served.refetch()]),
  };
  return (
    <Loaded place="page" data={data} query={query}>
      {(loaded) => <ChannelTags {...loaded} />}
    </Loaded>
  );
}

interface ChannelTagsProps {
  channels: readonly Channel[];
  served: readonly OneLinkStore[];
  linkStores: readonly Marketplace[];
}

function ChannelTags({ channels, served, linkStores }: ChannelTagsProps) {
  const { channel, ...choice } = useChosenChannel(channels);
  const saved = useMemo(() => storeValues(channel?.tags ?? []), [channel?.tags]);
  if (!channel) return null;
  const taggedStores = channels.flatMap(({ tags }) => tags.map(({ marketplace }) => marketplace));
  return (
    <>
      <Card title="Your tags">
        <ChannelBar channels={channels} channel={channel} {...choice} />
        <StoresForm
          key={channel.id}
          channelId={channel.id}
          saved={saved}
          linkStores={[...linkStores, ...taggedStores]}
          served={served}
        />
      </Card>
      <OneLinkStores served={served} needsTag={served.length > 0 && tagIn(saved, ONELINK_HOME) === ""} />
    </>
  );
}
