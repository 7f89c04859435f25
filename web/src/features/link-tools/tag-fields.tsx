import { zodResolver } from "@hookform/resolvers/zod";
import { tag as tagSchema } from "@tapthru/proto/http/fields";
import { addTag } from "@tapthru/proto/rules/amazon/add-tag";
import type { StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { tagHealthIn } from "@tapthru/proto/rules/amazon/tag-health";
import { messages } from "@tapthru/proto/rules/messages";
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm } from "../../components/ui/form.tsx";
import { tagMessage } from "../../lib/tag-message.ts";

const TagForm = z.object({ tag: tagSchema });

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
    resolver: zodResolver(TagForm),
    defaultValues: { tag: initialTag },
  });
  const text = useWatch({ control, name: "tag" });

  function submit({ tag }: z.infer<typeof TagForm>) {
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
            warning({ page, served }, text) ??
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

/** What is unusual about a valid tag. Such tags exist. */
function warning({ page, served }: Pick<TagFieldsProps, "page" | "served">, text: string) {
  const { data: tag } = z.safeParse(tagSchema, text);
  if (tag === undefined) return null;
  const health = tagHealthIn(page.marketplace, tag, served);
  return health.kind === "sound" ? null : tagMessage(health, page);
}
