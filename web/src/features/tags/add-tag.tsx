import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { useRef } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { useLazyDialog } from "../../components/use-lazy-dialog.ts";
import type { TagFormProps } from "./tag-form.tsx";

const loadTagForm = async () => (await import("./tag-form.tsx")).TagForm;

type AddTagProps = Omit<TagFormProps, "onClose">;

/** Offers to create another link, with the user's tag, for a link without one. Renders nothing if the URL has a tag. */
export function AddTag(props: AddTagProps) {
  const tagForm = useLazyDialog<TagFormProps>(loadTagForm, "Failed to open the form. Please reload the page.");
  const TagForm = tagForm.Dialog;
  const button = useRef<HTMLButtonElement>(null);
  const page = parseStorePage(props.url);
  if (page === null || tagHealth(page).kind !== "none") return null;

  function close() {
    tagForm.close();
    button.current?.focus();
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        aria-expanded={TagForm !== undefined}
        onClick={() => (TagForm ? close() : tagForm.open())}
        className={`${textLinkClass} relative ml-6.5 self-start text-sm leading-5 after:absolute after:-inset-2`}
      >
        Add your tag
      </button>
      {TagForm && <TagForm {...props} onClose={close} />}
    </>
  );
}
