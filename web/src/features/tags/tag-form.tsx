import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import { tag as tagSchema } from "@tapthru/proto/http/fields";
import { addTag } from "@tapthru/proto/rules/amazon/add-tag";
import { parseStorePage, type StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { messages } from "@tapthru/proto/rules/messages";
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm } from "../../components/ui/form.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { readStoredTags, saveTagInBrowser, useSaveStoreTag } from "./remembered-tags.ts";
import { oneLinkStoresOptions, storeTagsOptions } from "./store-tags.ts";
import { tagWarning } from "./tag-warning.ts";

export interface TagFormProps {
  /** The address of a store page without a tag. */
  url: string;
  /** Whether the tag is remembered in the account, instead of in this browser. */
  isMember: boolean;
  /** Whether the link with the tag is being created. */
  pending: boolean;
  /** Called with the address with the tag. */
  onTagged: (url: string) => void;
  onClose: () => void;
}

/** A form for the user's tag in the store of a link. The tag last added to a link of this store is filled in. */
export function TagForm({ url, isMember, ...props }: TagFormProps) {
  const page = parseStorePage(url);
  const account = useQuery({ ...storeTagsOptions, enabled: isMember });
  const { data: served } = useQuery({ ...oneLinkStoresOptions, enabled: isMember });
  const { mutate: save } = useSaveStoreTag();
  if (page === null) return null;
  if (isMember && account.isPending) return <Spinner label={messages.loading} />;
  const tags = [...(account.data ?? []), ...readStoredTags()];

  function remember(tag: string, { marketplace }: StorePage) {
    if (isMember) save({ marketplace, tag });
    else saveTagInBrowser({ marketplace, tag });
  }

  return (
    <TagFields
      {...props}
      url={url}
      page={page}
      served={served}
      initialTag={tags.find(({ marketplace }) => marketplace === page.marketplace)?.tag ?? ""}
      onTagged={(taggedUrl, tag) => {
        remember(tag, page);
        props.onTagged(taggedUrl);
      }}
    />
  );
}

const TagRules = z.object({ tag: tagSchema });

interface TagFieldsProps {
  url: string;
  page: StorePage;
  /** The stores that OneLink serves for the user. */
  served: readonly OneLinkStore[] | undefined;
  initialTag: string;
  pending: boolean;
  onTagged: (url: string, tag: string) => void;
  onClose: () => void;
}

export function TagFields(props: TagFieldsProps) {
  const { url, page, served, initialTag, pending, onTagged, onClose } = props;
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
        saveLabel={messages.createLinkWithTag}
        pendingLabel={messages.createLinkWithTag}
        onSubmit={handleSubmit(submit)}
        onClose={onClose}
      >
        <Field
          label={messages.yourTagFor(`amazon.${page.marketplace}`)}
          hint={
            tagWarning(text, page, served) ??
            messages.tagExample(MARKETPLACES[page.marketplace].tagSuffix)
          }
          error={formState.errors.tag?.message}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...register("tag")}
        />
        <p className="text-sm leading-5 text-muted">{messages.addTagKeepsLink}</p>
      </InlineForm>
    </div>
  );
}
