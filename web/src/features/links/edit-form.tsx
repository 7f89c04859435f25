import { zodResolver } from "@hookform/resolvers/zod";
import { nickname, title } from "@tapthru/proto/http/fields";
import { messages } from "@tapthru/proto/rules/messages";
import type { KeyboardEvent } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "../../components/ui/button.tsx";
import { Field } from "../../components/ui/field.tsx";
import { useFirstFieldFocus } from "../../lib/use-first-field-focus.ts";
import type { EditableField } from "./api/edit-link.ts";

const FORMS = {
  nickname: z.object({ text: nickname }),
  title: z.object({ text: title }),
};

interface EditFormProps {
  field: EditableField;
  label: string;
  initialText: string;
  /** Whether the text is being saved. The form cannot be closed then. */
  pending: boolean;
  /** Called with a valid, changed text. */
  onSave: (text: string) => void;
  onClose: () => void;
}

/** Edits a text. After a failed save, the form keeps what was typed. */
export function EditForm({ field, label, initialText, pending, onSave, onClose }: EditFormProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(FORMS[field]),
    defaultValues: { text: initialText },
  });
  const { errors, isDirty } = formState;
  const form = useFirstFieldFocus();

  function closeOnEscape(event: KeyboardEvent) {
    if (event.key === "Escape" && !pending) onClose();
  }

  return (
    <form
      ref={form}
      noValidate
      onSubmit={handleSubmit(({ text }) => {
        if (!isDirty) onClose();
        else onSave(text);
      })}
      onKeyDown={closeOnEscape}
      className="mt-4 mb-5 motion-safe:animate-appear"
    >
      <Field label={label} autoComplete="off" error={errors.text?.message} {...register("text")} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" aria-disabled={pending}>
          {pending ? messages.saving : messages.save}
        </Button>
        <Button variant="quiet" disabled={pending} onClick={onClose}>
          {messages.cancel}
        </Button>
      </div>
    </form>
  );
}
