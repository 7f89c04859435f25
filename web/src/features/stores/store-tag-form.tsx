import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { messages } from "@tapthru/proto/rules/messages";
import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Field } from "../../components/ui/field.tsx";
import { Form } from "../../components/ui/form.tsx";
import { storeName, storeNote } from "./store-note.ts";
import { useTagDraft } from "./use-tag-draft.ts";

interface StoreTagFormProps {
  marketplace: Marketplace;
  /** Empty if there is no tag. */
  saved: string;
  served: readonly OneLinkStore[];
  /** The tag for amazon.com, which OneLink pays. */
  mainTag: string | undefined;
}

/**
 * The field of a store. A change is saved when the focus leaves it, with Enter, and with the button that appears. Escape
 * restores the saved tag.
 */
export function StoreTagForm({ marketplace, saved, served, mainTag }: StoreTagFormProps) {
  const { text, isChanged, status, error, isOutdated, edit, save, saveUnsaved, discard } =
    useTagDraft(marketplace, saved);
  const field = useRef<HTMLInputElement>(null);
  const isSaving = status === "pending";
  const note = { marketplace, text, saved, served, mainTag, status, isChanged, isOutdated };

  // The note below the field may be below the window.
  useEffect(() => {
    const input = field.current;
    if ((status === "idle" && !error) || !input?.form?.contains(document.activeElement)) return;
    input.form.scrollIntoView({ block: "nearest" });
    input.scrollIntoView({ block: "nearest" });
  }, [status, error]);

  function discardOnEscape(event: KeyboardEvent) {
    if (event.key === "Escape" && !isSaving) discard();
  }

  function saveOnBlur({ currentTarget, relatedTarget }: FocusEvent) {
    // It still is the active element if the whole window loses the focus.
    const stays = [relatedTarget, document.activeElement].some((next) =>
      currentTarget.contains(next),
    );
    if (!stays) saveUnsaved();
  }

  return (
    <Form
      pending={isSaving}
      onSubmit={() => {
        // The button disappears once the tag is saved.
        field.current?.focus();
        save();
      }}
      onKeyDown={discardOnEscape}
      onBlur={saveOnBlur}
      className="grid gap-2 sm:grid-cols-4"
    >
      <div className="sm:col-span-3">
        <Field
          ref={field}
          label={storeName(marketplace)}
          hint={storeNote(note)}
          error={error}
          placeholder={messages.tagExample(MARKETPLACES[marketplace].tagSuffix)}
          value={text}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ currentTarget }) => edit(currentTarget.value)}
        />
      </div>
      {(isChanged || isSaving) && (
        <div className="sm:mt-7">
          <Button
            type="submit"
            aria-disabled={isSaving}
            aria-label={labelOf(marketplace, text, status)}
          >
            {buttonText(text, status)}
          </Button>
        </div>
      )}
    </Form>
  );
}

type Status = ReturnType<typeof useTagDraft>["status"];

function buttonText(text: string, status: Status): string {
  if (status === "pending") return messages.saving;
  if (status === "error") return messages.tryAgain;
  return text.trim() === "" ? messages.removeTag : messages.save;
}

function labelOf(marketplace: Marketplace, text: string, status: Status): string | undefined {
  const store = `amazon.${marketplace}`;
  if (status === "pending") return undefined;
  if (status === "error") return messages.tryAgainFor(store);
  return text.trim() === "" ? messages.removeTagFor(store) : messages.saveTagFor(store);
}
