import { tag as tagSchema } from "@tapthru/proto/http/fields";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import * as z from "zod/mini";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { useChangeStoreTag } from "./api/change-store-tag.ts";

interface Draft {
  text: string;
  /** The saved tag when the user began to edit. */
  basedOn: string;
}

/**
 * The text of a store's field. It follows the saved tag, which another tab may change, until the user edits it.
 * @param saved empty if there is none
 */
export function useTagDraft(marketplace: Marketplace, saved: string) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const [invalid, setInvalid] = useState<string>();
  const { mutate, status, error, reset } = useChangeStoreTag(marketplace);
  const text = draft?.text ?? saved;
  const isChanged = text.trim() !== saved;

  function edit(edited: string) {
    setDraft({ text: edited, basedOn: draft?.basedOn ?? saved });
    setInvalid(undefined);
    if (status !== "pending") reset();
  }

  function save() {
    if (!isChanged) return setDraft(null);
    const tag = text.trim();
    const problem = tag === "" ? undefined : z.safeParse(tagSchema, tag).error?.issues[0]?.message;
    setInvalid(problem);
    if (problem !== undefined) return;
    mutate(tag === "" ? null : tag, {
      // The user may have gone on typing.
      onSuccess: () =>
        setDraft((now) => (now?.text === text ? null : now && { ...now, basedOn: tag })),
    });
  }

  function discard() {
    setDraft(null);
    setInvalid(undefined);
    reset();
  }

  return {
    text,
    isChanged,
    status,
    error: invalid ?? (error ? failureText(error) : undefined),
    isOutdated: draft !== null && draft.basedOn !== saved && status !== "pending",
    edit,
    save,
    discard,
  };
}

function failureText(error: Error): string {
  const refusal = httpErrorOf(error);
  return refusal?.status === 422 ? refusal.text : messages.failedToSaveTag;
}
