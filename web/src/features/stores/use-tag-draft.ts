import { tag as tagSchema } from "@tapthru/proto/http/fields";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import * as z from "zod/mini";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { addUnsentChange } from "../../lib/unsent-changes.ts";
import { useChangeStoreTag } from "./api.ts";
import { storeName } from "./store-note.ts";

interface Draft {
  text: string;
  /** The saved tag when the user began to edit. */
  basedOn: string;
}

/**
 * The text of a store's field. It follows the saved tag, which another tab may change, until the user edits it. It is
 * saved when the user leaves the page or logs out.
 * @param saved empty if there is none
 */
export function useTagDraft(marketplace: Marketplace, saved: string) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const [invalid, setInvalid] = useState<string>();
  const { mutateAsync, status, variables, error, reset } = useChangeStoreTag(marketplace);
  const showError = useErrorToast();
  const hasLeft = useRef(false);
  const saving = useRef<Promise<void>>(undefined);
  const text = draft?.text ?? saved;
  const isChanged = text.trim() !== saved;
  const isOutdated = draft !== null && draft.basedOn !== saved && status !== "pending";

  function edit(edited: string) {
    setDraft({ text: edited, basedOn: draft?.basedOn ?? saved });
    setInvalid(undefined);
    if (status !== "pending") reset();
  }

  function save(): Promise<void> | undefined {
    if (!isChanged) {
      setDraft(null);
      return;
    }
    const tag = text.trim();
    const problem = tag === "" ? undefined : z.safeParse(tagSchema, tag).error?.issues[0]?.message;
    setInvalid(problem);
    if (problem !== undefined) {
      reportAfterLeaving(problem);
      return;
    }
    saving.current = mutateAsync(tag === "" ? null : tag).then(
      // The user may have gone on typing.
      () => setDraft((now) => (now?.text === text ? null : now && { ...now, basedOn: tag })),
      (failure) => reportAfterLeaving(failureText(failure)),
    );
    return saving.current;
  }

  function reportAfterLeaving(problem: string) {
    if (hasLeft.current) showError(`${storeName(marketplace)}: ${problem}`);
  }

  /** Saves a change, unless it is being saved or would replace that of another tab. */
  function saveUnsaved() {
    if (status === "pending" && (variables ?? "") === text.trim()) return saving.current;
    return isChanged && !isOutdated ? save() : undefined;
  }

  const saveNow = useEffectEvent(saveUnsaved);
  useEffect(() => {
    hasLeft.current = false;
    const send = async () => saveNow();
    const removeChange = addUnsentChange(send);
    addEventListener("pagehide", send);
    return () => {
      removeEventListener("pagehide", send);
      hasLeft.current = true;
      if (removeChange()) saveNow();
    };
  }, []);

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
    isOutdated,
    edit,
    save,
    saveUnsaved,
    discard,
  };
}

function failureText(error: Error): string {
  const refusal = httpErrorOf(error);
  return refusal?.status === 422 ? refusal.text : messages.failedToSaveTag;
}
