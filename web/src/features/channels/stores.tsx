import { useQueries } from "@tanstack/react-query";
import { type Channel, createChannel, tooManyChannels } from "@tapthru/proto/channels";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { ONELINK_HOME, type OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { CHANNELS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useMemo, useRef } from "react";
import { Card } from "../../components/ui/card.tsx";
import { useOpenForm } from "../../components/ui/form.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { CallForm, TextField } from "../../kit/call-form.tsx";
import { FormButton } from "../../kit/may.tsx";
import { useFocusAfterChange } from "../../lib/focus.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";
import { channelsOptions, oneLinkStoresOptions } from "./api.ts";
import { OneLinkStores } from "./onelink.tsx";
import { storeValues, tagIn } from "./store-values.ts";
import { StoresForm } from "./stores-form.tsx";

interface StoresProps {
  /** The stores of the user's links; undefined while they load. */
  linkStores: readonly Marketplace[] | undefined;
}

/** The user's channels, with their tag in each Amazon store, and the stores that OneLink serves. */
export function Stores({ linkStores }: StoresProps) {
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

function ChannelTags(props: ChannelTagsProps) {
  const { channels, served } = props;
  const saved = useMemo(() => storeValues(channels), [channels]);
  const place = useRef<HTMLDivElement>(null);
  const newForm = useOpenForm(place);
  useFocusAfterChange(channels.map(({ id, isDefault }) => `${id} ${isDefault}`).join(), place);
  const isFull = channels.length >= CHANNELS_MAX_COUNT;
  const hasMainTag = channels.some(({ id }) => tagIn(saved, id, ONELINK_HOME) !== "");
  return (
    <>
      <Card title="Your tags">
        <div ref={place} tabIndex={-1} className="mb-2 flex flex-col items-start gap-4 outline-none">
          <p className="leading-6 text-pretty text-muted">
            A channel is a place where you publish, such as Instagram or your blog. Give each its own tags, and see what
            it earns. A tag that you save here also goes to the channel's links to the store that have none. Those that
            use the tag of their channel follow each change; others keep theirs.
          </p>
          {isFull ? (
            <p className="text-sm text-muted">{tooManyChannels.message}</p>
          ) : (
            <FormButton call="POST /api/channels" form={newForm}>
              New channel
            </FormButton>
          )}
          {newForm.isOpen && (
            <CallForm
              call="POST /api/channels"
              rules={createChannel.body}
              values={{ name: "" }}
              input={(body) => ({ body })}
              save="Create channel"
              onClose={newForm.close}
            >
              <TextField name="name" label="Name of the channel" hint="For example Instagram" />
            </CallForm>
          )}
        </div>
        <StoresForm {...props} saved={saved} />
      </Card>
      <OneLinkStores served={served} needsTag={served.length > 0 && !hasMainTag} />
    </>
  );
}
