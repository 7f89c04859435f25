import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import { tag as tagSchema } from "@tapthru/proto/fields";
import { addTag } from "@tapthru/proto/rules/amazon/add-tag";
import { parseStorePage, type StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { messages } from "@tapthru/proto/rules/messages";
import { type ReactNode, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { type ChannelChoice, ChannelSelect } from "../../components/channel-fields.tsx";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm } from "../../components/ui/form.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { channelsOptions, channelTag, findChannel } from "../../lib/channels.ts";
import { oneLinkStoresOptions } from "./onelink-stores.ts";
import { readStoredTags, saveTagInBrowser, useSaveChannelTag } from "./remembered-tags.ts";
import { tagWarning } from "./tag-warning.ts";

export interface TagFormProps {
  /** The address of a store page without a tag. */
  url: string;
  /** Whether the tag is remembered in the account, instead of in this browser. */
  isMember: boolean;
  /** The channel that is chosen at first; null: the default one. */
  channelId?: number | null;
  /** Whether the link with the tag is being created. */
  pending: boolean;
  /** Called with the address with the tag, and for users with their channel, whose tag this may be. */
  onTagged: (url: string, channel?: ChannelChoice) => void;
  onClose: () => void;
}

/**
 * A form for the user's tag in the store of a link. The tag of the chosen channel is filled in, for guests the one last added
 * to a link of this store.
 */
export function TagForm({ url, isMember, onTagged, ...props }: TagFormProps) {
  const page = parseStorePage(url);
  const account = useQuery({ ...channelsOptions, enabled: isMember });
  const { data: served } = useQuery({ ...oneLinkStoresOptions, enabled: isMember });
  const [channelId, setChannelId] = useState(props.channelId ?? null);
  const { mutateAsync: save, isPending: isSaving } = useSaveChannelTag();
  if (page === null) return null;
  if (isMember && account.isPending) return <Spinner label="Loading..." />;
  const { marketplace } = page;
  const channel = findChannel(account.data ?? [], channelId);
  const saved = channelTag(channel, marketplace);
  const stored = readStoredTags().find((each) => each.marketplace === marketplace)?.tag;

  async function submit(taggedUrl: string, tag: string) {
    if (!isMember) {
      saveTagInBrowser({ marketplace, tag });
      return onTagged(taggedUrl);
    }
    // A tag that the channel has is not replaced: its links have it.
    const isNew = saved === undefined && channel !== undefined;
    const usesChannelTag = isNew ? await save({ channel, marketplace, tag }) : saved === tag;
    onTagged(taggedUrl, { channelId, usesChannelTag });
  }

  return (
    <TagFields
      {...props}
      // Another channel has another tag.
      key={channelId}
      pending={props.pending || isSaving}
      url={url}
      page={page}
      served={served}
      initialTag={saved ?? stored ?? ""}
      channelTag={saved}
      onTagged={submit}
    >
      <ChannelSelect label="Channel" value={channelId} onSelect={setChannelId} />
    </TagFields>
  );
}

const TagRules = z.object({ tag: tagSchema });

interface TagFieldsProps {
  url: string;
  page: StorePage;
  /** The stores that OneLink serves for the user. */
  served: readonly OneLinkStore[] | undefined;
  initialTag: string;
  /** The tag of the chosen channel. */
  channelTag: string | undefined;
  pending: boolean;
  onTagged: (url: string, tag: string) => void;
  onClose: () => void;
  /** Before the field. */
  children: ReactNode;
}

function TagFields(props: TagFieldsProps) {
  const { url, page, served, initialTag, pending, onTagged, onClose, children } = props;
  const { register, handleSubmit, setError, control, formState } = useForm({
    resolver: zodResolver(TagRules),
    defaultValues: { tag: initialTag },
  });
  const text = useWatch({ control, name: "tag" });

  function submit({ tag }: z.infer<typeof TagRules>) {
    const taggedUrl = addTag(url, tag);
    if (taggedUrl === null) setError("tag", { message: messages.invalidAmazonUrl });
    else onTagged(taggedUrl, tag);
  }

  return (
    <div className="motion-safe:animate-appear">
      <InlineForm
        pending={pending}
        saveLabel="Create link with tag"
        pendingLabel="Create link with tag"
        onSubmit={handleSubmit(submit)}
        onClose={onClose}
      >
        {children}
        <Field
          label={`Your Associates tag for amazon.${page.marketplace}`}
          hint={
            tagWarning(text, page, served) ?? `For example mystore${MARKETPLACES[page.marketplace].tagSuffix ?? "-20"}`
          }
          error={formState.errors.tag?.message}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...register("tag")}
        />
        <p className="text-sm leading-5 text-muted">
          Creates a new short link. The one without a tag keeps working.
          {props.channelTag !== undefined &&
            text.trim() !== props.channelTag &&
            ` The channel's tag ${props.channelTag} stays as it is.`}
        </p>
      </InlineForm>
    </div>
  );
}
