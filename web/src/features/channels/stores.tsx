import { useQueries } from "@tanstack/react-query";
import type { Channel } from "@tapthru/proto/channels";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { useMemo } from "react";
import { Card } from "../../components/ui/card.tsx";
import { LoadingFailed } from "../../components/ui/empty-state.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";
import { channelsOptions, oneLinkStoresOptions } from "./api.ts";
import { ChannelBar, useChosenChannel } from "./channel-bar.tsx";
import { storeValues } from "./store-values.ts";
import { StoresForm } from "./stores-form.tsx";

/**
 * The user's channels, with their tag in each Amazon store, and the stores that OneLink serves.
 * @param linkStores the stores of the user's links; undefined while they load
 */
export function Stores({ linkStores }: { linkStores: readonly Marketplace[] | undefined }) {
  const [channels, served] = useQueries({
    queries: [{ ...channelsOptions, ...SETTINGS_QUERY }, oneLinkStoresOptions],
  });
  if (channels.data && served.data && linkStores) {
    return <ChannelTags channels={channels.data} served={served.data} linkStores={linkStores} />;
  }
  if (channels.isFetching || served.isFetching || !linkStores) {
    return (
      <div data-loading className="grid min-h-screen animate-appear-late justify-center pt-20">
        <Spinner label="Loading..." />
      </div>
    );
  }
  return (
    <LoadingFailed
      message="Error loading your stores. Please try again."
      action="Try again"
      onAction={() => {
        channels.refetch();
        served.refetch();
      }}
    />
  );
}

interface ChannelTagsProps {
  channels: readonly Channel[];
  served: readonly OneLinkStore[];
  linkStores: readonly Marketplace[];
}

function ChannelTags({ channels, served, linkStores }: ChannelTagsProps) {
  const { channel, ...choice } = useChosenChannel(channels);
  const saved = useMemo(() => storeValues(channel?.tags ?? [], served), [channel?.tags, served]);
  if (!channel) return null;
  const taggedStores = channels.flatMap(({ tags }) => tags.map(({ marketplace }) => marketplace));
  return (
    <Card title="Your tags">
      <ChannelBar channels={channels} channel={channel} {...choice} />
      <StoresForm key={channel.id} channelId={channel.id} saved={saved} linkStores={[...linkStores, ...taggedStores]} />
    </Card>
  );
}
