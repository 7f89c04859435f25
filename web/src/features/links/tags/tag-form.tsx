import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import { tag as tagSchema } from "@tapthru/proto/fields";
import type { Link } from "@tapthru/proto/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { Form } from "../../../components/ui/form.tsx";
import { usePermission } from "../../../kit/can.tsx";
import { readText, TAGS_KEY } from "../../../lib/stored-texts.ts";
import {
  channelTag,
  findChannel,
  oneLinkStoresOptions,
  savedText,
  tagRemark,
  useChannels,
  useSaveStores,
} from "../../channels/index.ts";
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
  const may = usePermission("PUT /api/channels/:id/tags");
  const { call, isPending } = useSaveStores(savedText);
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
      text={`All links of the channel ${channel.name} to amazon.${marketplace} without a tag get it.`}
      onTag={(tag, refuse) => call([{ channelId: channel.id, marketplace, tag }], { onFailed: refuse })}
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
  /** True after the button was clicked while the text had a warning. */
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
        <Button type="submit" aria-busy={pending}>
          {isWarned ? "Save anyway" : action}
        </Button>
      </div>
    </Form>
  );
}
