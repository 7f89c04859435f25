import { tag as tagSchema } from "@tapthru/proto/http/fields";
import { addTag } from "@tapthru/proto/rules/amazon/add-tag";
import type { StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { tagHealthIn } from "@tapthru/proto/rules/amazon/tag-health";
import { messages } from "@tapthru/proto/rules/messages";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import * as z from "zod/mini";
import { Button } from "../../components/ui/button.tsx";
import { Field } from "../../components/ui/field.tsx";
import { Form } from "../../components/ui/form.tsx";
import { tagMessage } from "../../lib/tag-message.ts";

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
  const [text, setText] = useState(initialTag);
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);

  function submit() {
    const { data: tag, error: invalid } = z.safeParse(tagSchema, text);
    if (tag === undefined) return setError(invalid?.issues[0]?.message);
    const taggedUrl = addTag(url, tag);
    if (taggedUrl === null) setError(messages.invalidAmazonUrl);
    else onTagged(taggedUrl, tag);
  }

  function closeOnEscape(event: KeyboardEvent) {
    if (event.key === "Escape" && !pending) onClose();
  }

  return (
    <Form
      pending={pending}
      onSubmit={submit}
      onKeyDown={closeOnEscape}
      className="flex flex-col gap-3 motion-safe:animate-appear"
    >
      <Field
        ref={input}
        label={messages.yourTagFor(`amazon.${page.marketplace}`)}
        hint={
          warning({ page, served }, text) ??
          messages.tagExample(MARKETPLACES[page.marketplace].tagSuffix)
        }
        error={error}
        value={text}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setError(undefined);
        }}
      />
      <p className="text-sm leading-5 text-muted">{messages.addTagKeepsLink}</p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" aria-disabled={pending}>
          {messages.createLinkWithTag}
        </Button>
        <Button variant="quiet" disabled={pending} onClick={onClose}>
          {messages.cancel}
        </Button>
      </div>
    </Form>
  );
}

/** What is unusual about a valid tag. Such tags exist. */
function warning({ page, served }: Pick<TagFieldsProps, "page" | "served">, text: string) {
  const { data: tag } = z.safeParse(tagSchema, text);
  if (tag === undefined) return null;
  const health = tagHealthIn(page.marketplace, tag, served);
  return health.kind === "sound" ? null : tagMessage(health, page);
}
