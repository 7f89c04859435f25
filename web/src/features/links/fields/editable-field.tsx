import { zodResolver } from "@hookform/resolvers/zod";
import type { Link } from "@tapthru/proto/links";
import { Pencil } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { IconButton, textLinkClass } from "../../../components/ui/button.tsx";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { useOpenForm } from "../../../components/ui/form.tsx";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { TextField } from "../../../kit/call-form.tsx";
import { FieldsForm } from "../../../kit/fields-form.tsx";
import { useMay } from "../../../kit/may.tsx";
import { useUnsavedForms } from "../../../lib/unsaved-text.ts";
import { isUsable } from "../link-state.tsx";
import { type LinkChange, refusalText, useChangeLink } from "./change-link.ts";

export interface EditableFieldProps {
  link: Link;
  /** Given if something else opens the form too. */
  form?: ReturnType<typeof useOpenForm>;
  children: ReactNode;
  className?: string;
  /** A remark below it. The label of the open form replaces it. */
  remark?: string;
  pencil: string;
  label: string;
  hint?: string;
  type?: "text" | "url" | "date" | "datetime-local";
  schema: z.ZodMiniType<string, string>;
  /** Offers another text instead of the one in the field. */
  offer?: (text: string, onTake: (text: string) => void) => ReactNode;
  textOf: (link: Link) => string;
  min?: string;
  changeOf: (text: string) => LinkChange;
  failure: string;
  saved?: string;
  /** Whether a change can be undone. */
  canUndo?: boolean;
  onChanged?: (link: Link) => void;
  onUndone?: (earlier: Link) => void;
}

/**
 * A field of a link with a pencil button that opens a form below it. In a box that is narrow for its text size, the
 * pencil is below the text: beside it, long words would break.
 */
export function EditableField(props: EditableFieldProps) {
  const { link, children, className = "", remark, pencil, textOf, changeOf, failure } = props;
  const { saved = "Saved.", canUndo = false, onChanged, onUndone } = props;
  const ownForm = useOpenForm();
  const { form = ownForm } = props;
  const may = useMay("PATCH /api/links/:shortCode");
  const showError = useErrorToast();
  const { mutate, isPending } = useChangeLink({ link, failure, onChanged });
  const [lastChange, setLastChange] = useState<Change | null>(null);
  // Something else may have changed the link since.
  const shown = form.isOpen || lastChange?.text !== textOf(link) ? null : lastChange;

  function save(text: string, onRefused: (message: string | null) => void) {
    mutate(changeOf(text), {
      onSuccess(changed) {
        setLastChange({ text: textOf(changed), note: saved, earlier: link });
        form.close();
      },
      onError: (error) => onRefused(refusalText(error)),
    });
  }

  function undo(earlier: Link) {
    mutate(changeOf(textOf(earlier)), {
      onSuccess(changed) {
        setLastChange({ text: textOf(changed), note: "Undone.", earlier: null });
        onUndone?.(earlier);
        // It focuses the pencil: the button is gone.
        form.close();
      },
      onError(error) {
        const message = refusalText(error);
        if (message !== null) showError(message);
      },
    });
  }

  return (
    <>
      <div className={`flex items-start gap-1 @max-narrow:flex-wrap ${className}`}>
        <div className="min-w-0 @max-narrow:basis-full">{children}</div>
        {may && isUsable(link) && (
          <span className="flex h-lh items-center @max-narrow:-ml-3 @max-narrow:h-auto">
            <IconButton
              icon={Pencil}
              label={pencil}
              aria-disabled={isPending}
              {...form.button}
              onClick={() => !isPending && form.button.onClick()}
            />
          </span>
        )}
      </div>
      {remark && may && !form.isOpen && <p className="mt-1 text-sm text-muted print:hidden">{remark}</p>}
      <div className="flex flex-wrap items-center gap-x-3 text-sm print:hidden">
        <p role="status" className="text-accent">
          {shown?.note}
        </p>
        {canUndo && shown?.earlier && (
          <button
            type="button"
            aria-disabled={isPending}
            onClick={() => !isPending && shown.earlier && undo(shown.earlier)}
            className={`${textLinkClass} min-h-6`}
          >
            Undo
          </button>
        )}
      </div>
      {form.isOpen && <FieldForm {...props} pending={isPending} onSave={save} onClose={form.close} />}
    </>
  );
}

/** A change of this page, which is shown while the link has its text. */
interface Change {
  text: string;
  note: string;
  /** The link before it. Null if it cannot be undone. */
  earlier: Link | null;
}

interface FieldFormProps
  extends Pick<EditableFieldProps, "link" | "label" | "hint" | "type" | "schema" | "offer" | "textOf" | "min"> {
  pending: boolean;
  /** Called with a valid, changed text. */
  onSave: (text: string, onRefused: (message: string | null) => void) => void;
  onClose: () => void;
}

const CORRECTED = { shouldDirty: true, shouldValidate: true };

interface FieldDialogProps
  extends Omit<FieldFormProps, "pending" | "onSave">,
    Pick<EditableFieldProps, "changeOf" | "failure"> {
  title: string;
}

export function FieldDialog({ title, changeOf, failure, ...field }: FieldDialogProps) {
  const { link, onClose } = field;
  const { discard } = useUnsavedForms();
  const { mutate, isPending } = useChangeLink({ link, failure, onChanged: onClose });
  return (
    <Dialog title={title} onClose={() => discard(onClose)}>
      <FieldForm
        {...field}
        pending={isPending}
        onSave={(text, onRefused) => mutate(changeOf(text), { onError: (error) => onRefused(refusalText(error)) })}
      />
    </Dialog>
  );
}

function FieldForm(props: FieldFormProps) {
  const { link, label, hint, type, schema, offer, textOf, min, pending, onSave, onClose } = props;
  const form = useForm({
    resolver: zodResolver(z.object({ text: schema })),
    defaultValues: { text: textOf(link) },
  });
  const { setValue, watch, formState } = form;

  function showError(message: string | null) {
    if (message !== null) form.setError("text", { message }, { shouldFocus: true });
  }

  const save = form.handleSubmit(({ text }) => {
    if (formState.isDirty) onSave(text, showError);
    else onClose();
  });

  return (
    <div className="mt-4 mb-5 motion-safe:animate-appear">
      <FieldsForm form={form} isPending={pending} onSubmit={save} onClose={onClose}>
        <TextField
          name="text"
          label={label}
          hint={hint}
          type={type}
          min={min}
          {...(type && { autoCapitalize: "none", spellCheck: false })}
        />
        {formState.isDirty && offer?.(watch("text"), (text) => setValue("text", text, CORRECTED))}
      </FieldsForm>
    </div>
  );
}
