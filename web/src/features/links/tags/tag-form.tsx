import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Channel } from "@tapthru/proto/channels";
import { tag as tagSchema } from "@tapthru/proto/fields";
import type { Link } from "@tapthru/proto/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import type { StoreTag } from "@tapthru/proto/stores";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { Form } from "../../../components/ui/form.tsx";
import { useErrorToast, useToast } from "../../../components/ui/toaster.tsx";
import { useMay } from "../../../kit/may.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { errorText, httpErrorOf } from "../../../lib/http/http-client.ts";
import { refreshAfter } from "../../../lib/link-lists.ts";
import { readText, TAGS_KEY } from "../../../lib/stored-texts.ts";
import {
  channelTag,
  findChannel,
  giveTag,
  oneLinkStoresOptions,
  tagRemark,
  useChannels,
} from "../../channels/index.ts";
import { listLinkIds } from "../link-ids.ts";
import { parseStoredTags, storeTag } from "./stored-tags.ts";

const CARD = "rounded-2xl border border-line bg-surface p-4 shadow-card sm:p-5";

/** Asks a guest for their tag in the store of a link without one. This browser adds it to new links. */
export function GuestTag({ url, onTagged }: { url: string; onTagged: () => void }) {
  const page = parseStorePage(url);
  if (page === null || tagHealth(page).kind !== "none") return null;
  const { marketplace } = page;
  return (
    <div className={CARD}>
      <TagForm
        marketplace={marketplace}
        action="Create link with tag"
        text={`Creates a new short link. The one without a tag keeps working. This browser adds the tag to your next links to amazon.${marketplace}.`}
        onTag={(tag) => {
          storeTag({ marketplace, tag });
          onTagged();
        }}
      />
    </div>
  );
}

/** Asks the owner of a link without a tag for that of its channel in its store, if it has none there. */
export function TagOfChannel({ link }: { link: Link }) {
  const channel = findChannel(useChannels(), link.channelId);
  const page = parseStorePage(link.webUrl);
  const may = useMay("PUT /api/channels/:id/tags");
  const { isPending, save } = useSaveTag(link);
  const { data: served } = useQuery(oneLinkStoresOptions);
  if (!may || !channel || page === null || channelTag(channel, page.marketplace) !== undefined) return null;
  const { marketplace } = page;
  return (
    <TagForm
      key={marketplace}
      marketplace={marketplace}
      served={served}
      initialTag={storedTag(marketplace)}
      pending={isPending}
      action="Save tag"
      text="This link and new ones without a tag get it."
      onTag={(tag, refuse) => save({ channel, marketplace, tag }, refuse)}
    />
  );
}

const storedTag = (store: Marketplace) =>
  parseStoredTags(readText(TAGS_KEY)).find(({ marketplace }) => marketplace === store)?.tag;

interface TagFormProps {
  marketplace: Marketplace;
  served?: readonly Marketplace[] | undefined;
  initialTag?: string | undefined;
  pending?: boolean;
  action: string;
  text: string;
  /** @param refuse shows why the tag cannot be saved */
  onTag: (tag: string, refuse: (message: string) => void) => void;
}

const Rules = z.object({ tag: tagSchema });

function TagForm(props: TagFormProps) {
  const { marketplace, served, initialTag = "", pending = false, action, onTag } = props;
  /** True after the button was pressed while the text had a warning. */
  const [isWarned, setWarned] = useState(false);
  const form = useForm({
    resolver: zodResolver(Rules),
    values: { tag: initialTag },
    resetOptions: { keepDirtyValues: true },
  });
  const remark = tagRemark(form.watch("tag"), marketplace, served);
  const submit = form.handleSubmit(({ tag }) => {
    if (remark.warning && !isWarned) setWarned(true);
    else onTag(tag, (message) => form.setError("tag", { message }));
  });

  return (
    <Form pending={pending} onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label={`Your tag for amazon.${marketplace}`}
        hint={`For example mystore${MARKETPLACES[marketplace].tagSuffix ?? "-20"}`}
        {...remark}
        error={form.formState.errors.tag?.message}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.register("tag", { onChange: () => setWarned(false) })}
      />
      <p className="text-sm leading-5 text-pretty">{props.text}</p>
      <div className="flex">
        <Button type="submit" aria-disabled={pending} aria-busy={pending}>
          {isWarned ? "Save anyway" : action}
        </Button>
      </div>
    </Form>
  );
}

interface NewTag extends StoreTag {
  channel: Channel;
}

/** Saves a tag of a channel, and gives it to links without one: to `link`, or to all in the store if the user has one channel. */
function useSaveTag(link: Link) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  const channels = useChannels();

  const isOnlyChannel = channels.length === 1;

  /** @returns whether none of them was refused */
  async function giveToLinks(store: Marketplace): Promise<boolean> {
    const ids = isOnlyChannel ? await listLinkIds({ show: "no-tag", store }) : [link.id];
    return (await giveTag(ids, link.channelId)) === ids.length;
  }

  const { mutate, isPending } = useMutation({
    async mutationFn({ channel, ...body }: NewTag) {
      await callApi("PUT /api/channels/:id/tags", { params: { id: String(channel.id) }, body });
      // The tag is saved. Pages of links without a tag offer it.
      return giveToLinks(body.marketplace).catch(() => false);
    },
    onSuccess(areGiven, { marketplace }) {
      const store = `amazon.${marketplace}`;
      const links = isOnlyChannel ? "Your links" : "This link and new ones";
      if (areGiven) toast({ title: "Success", description: `${links} to ${store} without a tag get this one.` });
      else showError(`The tag is saved. Not all of your links to ${store} without a tag could be given it.`);
      return refreshAfter(queryClient, "PUT /api/channels/:id/tags");
    },
  });
  return {
    isPending,
    save(tag: NewTag, refuse: (message: string) => void) {
      mutate(tag, {
        onError(error) {
          const refusal = httpErrorOf(error);
          if (refusal?.status === 409) refuse(refusal.text);
          else showError(errorText(error, "Failed to save the tag. Please try again."));
        },
      });
    },
  };
}
