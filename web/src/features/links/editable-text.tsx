import type { Link } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { Pencil } from "lucide-react";
import { useRef, useState } from "react";
import { ClampedHeading } from "../../components/ui/clamped-heading.tsx";
import { IconButton } from "../../components/ui/icon-button.tsx";
import { type EditableField, useEditLink } from "./api/edit-link.ts";
import { EditForm } from "./edit-form.tsx";
import { isUsable } from "./link-state.tsx";

const LABELS = {
  nickname: { field: messages.nicknameForOwner, pencil: messages.editNickname },
  title: { field: messages.title, pencil: messages.editTitle },
};

interface EditableTextProps {
  link: Link;
  field: EditableField;
  /** The displayed text: the field's value, or a fallback. */
  text: string;
  isHeading?: boolean;
  className?: string;
  /** A remark below the text. The label of the open form replaces it. */
  note?: string;
}

/**
 * A text with a pencil button that opens a form below it. Closing the form returns the focus to the pencil. In a box that
 * is narrow for its text size, the pencil is below the text: beside it, long words would break.
 */
export function EditableText(props: EditableTextProps) {
  const { link, field, text, isHeading, className = "", note } = props;
  const [editing, setEditing] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const { mutate, isPending } = useEditLink(link.shortCode, field);

  function close() {
    setEditing(false);
    pencil.current?.focus();
  }

  return (
    <>
      <div className={`flex items-start gap-1 @max-narrow:flex-wrap ${className}`}>
        <div className="min-w-0 @max-narrow:basis-full">
          {isHeading ? (
            <ClampedHeading>{text}</ClampedHeading>
          ) : (
            <p dir="auto" className="wrap-anywhere">
              {text}
            </p>
          )}
        </div>
        {isUsable(link) && (
          <span className="flex h-lh items-center @max-narrow:-ml-3 @max-narrow:h-auto">
            <IconButton
              ref={pencil}
              icon={Pencil}
              label={LABELS[field].pencil}
              aria-expanded={editing}
              aria-disabled={isPending}
              onClick={() => !isPending && setEditing(!editing)}
            />
          </span>
        )}
      </div>
      {note && !editing && <p className="mt-1 text-sm text-muted">{note}</p>}
      {editing && (
        <EditForm
          field={field}
          label={LABELS[field].field}
          initialText={text}
          pending={isPending}
          onSave={(edited) => mutate(edited, { onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  );
}
