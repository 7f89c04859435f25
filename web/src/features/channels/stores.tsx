import { useQueries } from "@tanstack/react-query";
import { type Channel, createChannel, tooManyChannels } from "@tapthru/proto/channels";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { ONELINK_HOME, ONELINK_STORES, type OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { CHANNELS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { CircleAlert } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { Card } from "../../components/ui/card.tsx";
import { Checkbox } from "../../components/ui/choice-list.tsx";
import { Details } from "../../components/ui/details.tsx";
import { useOpenForm } from "../../components/ui/form.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { CallForm, TextField } from "../../kit/call-form.tsx";
import { FormButton, useDenialReason } from "../../kit/can.tsx";
import { useCall } from "../../kit/use-call.ts";
import { useFocusAfterChange } from "../../lib/focus.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";
import { storeName } from "../../lib/names.ts";
import { channelsOptions, oneLinkStoresOptions } from "./api.ts";
import { storeValues, tagIn } from "./store-values.ts";
import { StoresForm } from "./stores-form.tsx";

interface StoresProps {
  /** The stores of the user's links; undefined while they load. */
  linkStores: readonly Marketplace[] | undefined;
}

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

/** Saves each change at once. @param needsTag whether there is no tag for OneLink to pay */
function OneLinkStores({ served, needsTag }: { served: readonly Marketplace[]; needsTag: boolean }) {
  const refusal = useDenialReason("PUT /api/onelink-stores", "change this");
  const { call } = useCall("PUT /api/onelink-stores", {
    failed: "Not saved. Please try again.",
    isQueued: true,
    async ahead(queryClient, { body: { marketplace, served: isServed } }) {
      const { queryKey } = oneLinkStoresOptions;
      const show = (isShown: boolean) =>
        queryClient.setQueryData(queryKey, (stores = []) => [
          ...stores.filter((store) => store !== marketplace),
          ...(isShown ? [marketplace] : []),
        ]);
      await queryClient.cancelQueries({ queryKey });
      show(isServed);
      return () => show(!isServed);
    },
  });
  const [wasServed] = useState(served.length > 0);
  return (
    <Card title="Amazon OneLink">
      <p className="mb-2 max-w-2xl leading-6 text-pretty text-muted">
        With OneLink, your tag for amazon.com can earn in other stores too. Select those that you set up at Amazon. We
        can't check this.
      </p>
      {needsTag && (
        <Notice icon={CircleAlert}>OneLink pays your tag for amazon.com. You have not saved one above.</Notice>
      )}
      <Details summary="Show the stores of OneLink" openSummary="Hide the stores of OneLink" isOpen={wasServed}>
        <fieldset disabled={refusal !== null} className="grid min-w-0 sm:grid-cols-2">
          <legend className="sr-only">Stores where OneLink pays your tag for amazon.com</legend>
          {ONELINK_STORES.map((store) => (
            <Checkbox
              key={store}
              name={storeName(store)}
              checked={served.includes(store)}
              onChange={(isServed) => call({ body: { marketplace: store, served: isServed } })}
            />
          ))}
        </fieldset>
      </Details>
    </Card>
  );
}
