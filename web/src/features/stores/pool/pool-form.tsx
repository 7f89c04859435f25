import { tag as tagSchema } from "@tapthru/proto/http/fields";
import {
  isMarketplace,
  MARKETPLACES,
  type Marketplace,
} from "@tapthru/proto/rules/amazon/marketplaces";
import { messages } from "@tapthru/proto/rules/messages";
import { useId, useState } from "react";
import * as z from "zod/mini";
import { InlineForm } from "../../../components/ui/form.tsx";
import { SelectField } from "../../../components/ui/select-field.tsx";
import { tagWarning } from "../../tags/tag-warning.ts";
import { storeName } from "../store-note.ts";
import { useAddPoolTags } from "./api.ts";

const STORES = Object.keys(MARKETPLACES).filter(isMarketplace);

interface PoolFormProps {
  /** The store that is chosen at first. */
  store: Marketplace;
  onClose: () => void;
}

/** Adds a pasted list of tracking ids of one store. */
export function PoolForm({ store, onClose }: PoolFormProps) {
  const id = useId();
  const [marketplace, setMarketplace] = useState(store);
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const { mutate, isPending } = useAddPoolTags(setError);

  const tags = [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
  const warning = tags.map((tag) => tagWarning(tag, { marketplace }, undefined)).find(Boolean);

  function submit() {
    const wrong = tags.find((tag) => !z.safeParse(tagSchema, tag).success);
    setError(undefined);
    if (tags.length === 0) setError(messages.poolTagsRequired);
    else if (wrong !== undefined) setError(messages.poolTagMalformed(wrong));
    else mutate({ marketplace, tags }, { onSuccess: onClose });
  }

  return (
    <InlineForm
      pending={isPending}
      saveLabel={messages.addPoolTags}
      pendingLabel={messages.addingPoolTags}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label={messages.storeOfPoolTags}
        options={STORES.map((each) => [each, storeName(each)])}
        value={marketplace}
        onChange={(value) => isMarketplace(value) && setMarketplace(value)}
      />
      <div>
        <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
          {messages.pastePoolTags}
        </label>
        <textarea
          id={id}
          dir="ltr"
          rows={5}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-note`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="block w-full rounded-xl border border-line-strong bg-surface px-4 py-3 text-base focus-visible:border-accent focus-visible:-outline-offset-1 aria-invalid:border-danger"
        />
        <p
          id={`${id}-note`}
          aria-live="polite"
          className={`mt-1.5 text-sm leading-5 wrap-anywhere ${error === undefined ? "text-muted" : "font-medium text-danger"}`}
        >
          {error ?? warning ?? messages.pastePoolTagsHint}
        </p>
      </div>
    </InlineForm>
  );
}
