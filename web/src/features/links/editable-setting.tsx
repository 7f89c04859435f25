import { zodResolver } from "@hookform/resolvers/zod";
import type { Link } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { Pencil } from "lucide-react";
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "../../components/ui/button.tsx";
import { Field } from "../../components/ui/field.tsx";
import { IconButton } from "../../components/ui/icon-button.tsx";
import { useFirstFieldFocus } from "../../lib/use-first-field-focus.ts";
import { type LinkChange, useChangeLink } from "./api/change-link.ts";
import { isUsable } from "./link-state.tsx";

interface EditableSettingProps {
  link: Link;
  /** What is displayed beside the pencil. */
  children: ReactNode;
  pencil: string;
  label: string;
  hint: string;
  type: "text" | "url" | "date";
  /** Validates the text of the field. */
  schema: z.ZodMiniType<string, string>;
  initialText: string;
  /** The earliest date. */
  min?: string;
  changeOf: (text: string) => LinkChange;
  failure: string;
  onChanged?: (link: Link) => void;
}

/** A setting with a pencil button that opens a form below it. Closing the form returns the focus to the pencil. */
export function EditableSetting(props: EditableSettingProps) {
  const { link, children, pencil } = props;
  const [editing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  function close() {
    setEditing(false);
    button.current?.focus();
  }

  return (
    <>
      <div className="flex flex-wrap items-start gap-x-1">
        <div className="min-w-0 flex-1 basis-40 py-2.5">{children}</div>
        {isUsable(link) && (
          <IconButton
            ref={button}
            icon={Pencil}
            label={pencil}
            aria-expanded={editing}
            onClick={() => setEditing(!editing)}
          />
        )}
      </div>
      {editing && <SettingForm {...props} onClose={close} />}
    </>
  );
}

function SettingForm({
  link,
  label,
  hint,
  type,
  schema,
  initialText,
  min,
  changeOf,
  failure,
  onChanged,
  onClose,
}: EditableSettingProps & { onClose: () => void }) {
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(z.object({ text: schema })),
    defaultValues: { text: initialText },
  });
  const { errors, isDirty } = formState;
  const form = useFirstFieldFocus();
  const { mutate, isPending } = useChangeLink({
    link,
    failure,
    onChanged(changed) {
      onClose();
      onChanged?.(changed);
    },
    onRefused: (message) => setError("text", { message }, { shouldFocus: true }),
  });

  const save = handleSubmit(({ text }) => {
    if (!isDirty) onClose();
    else mutate(changeOf(text));
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // The value of a date of which a part is missing is empty.
    if (event.currentTarget.querySelector("input")?.validity.badInput) {
      setError("text", { message: messages.enterWholeDate }, { shouldFocus: true });
    } else {
      void save(event);
    }
  }

  function closeOnEscape(event: KeyboardEvent) {
    if (event.key === "Escape" && !isPending) onClose();
  }

  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      onKeyDown={closeOnEscape}
      className="mt-2 mb-4 motion-safe:animate-appear"
    >
      <Field
        label={label}
        hint={hint}
        type={type}
        min={min}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.text?.message}
        {...register("text")}
      />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" aria-disabled={isPending}>
          {isPending ? messages.saving : messages.save}
        </Button>
        <Button variant="quiet" disabled={isPending} onClick={onClose}>
          {messages.cancel}
        </Button>
      </div>
    </form>
  );
}
