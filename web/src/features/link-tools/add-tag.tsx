import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { messages } from "@tapthru/proto/rules/messages";
import { type ComponentType, useRef, useState } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { importOnline } from "../../lib/import-online.ts";
import type { TagFormProps } from "./tag-form.tsx";

const loadTagForm = importOnline(() => import("./tag-form.tsx"));

type AddTagProps = Omit<TagFormProps, "onClose">;

/** Offers to create another link, with the user's tag, for a link without one. Renders nothing if the URL has a tag. */
export function AddTag(props: AddTagProps) {
  const [TagForm, setTagForm] = useState<ComponentType<TagFormProps>>();
  const button = useRef<HTMLButtonElement>(null);
  const showError = useErrorToast();
  const page = parseStorePage(props.url);
  if (page === null || tagHealth(page).kind !== "none") return null;

  async function open() {
    try {
      const loaded = await loadTagForm();
      setTagForm(() => loaded.TagForm);
    } catch {
      showError(messages.failedToOpenTagForm);
    }
  }

  function close() {
    setTagForm(undefined);
    button.current?.focus();
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        aria-expanded={TagForm !== undefined}
        onClick={() => (TagForm ? close() : open())}
        className={`${textLinkClass} relative ml-6.5 self-start text-sm leading-5 after:absolute after:-inset-2`}
      >
        {messages.addYourTag}
      </button>
      {TagForm && <TagForm {...props} onClose={close} />}
    </>
  );
}
