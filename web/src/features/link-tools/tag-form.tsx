import { useQuery } from "@tanstack/react-query";
import { parseStorePage, type StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { messages } from "@tapthru/proto/rules/messages";
import { Spinner } from "../../components/ui/spinner.tsx";
import { oneLinkStoresOptions, storeTagsOptions } from "../../lib/store-tags.ts";
import { useSaveStoreTag } from "./api/save-store-tag.ts";
import { readStoredTags, saveTagInBrowser } from "./stored-tags.ts";
import { TagFields } from "./tag-fields.tsx";

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
