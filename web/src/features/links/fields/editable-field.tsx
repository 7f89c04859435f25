import { useIsMutating } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { Pencil } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useFormContext } from "react-hook-form";
import * as z from "zod/mini";
import { IconButton, textLinkClass } from "../../../components/ui/button.tsx";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { useOpenForm } from "../../../components/ui/form.tsx";
import { CallForm, TextField } from "../../../kit/call-form.tsx";
import { useMay } from "../../../kit/may.tsx";
import { useFocusAfterChange } from "../../../lib/focus.ts";
import { isUsable } from "../link-state.tsx";
import { CHANGE, changeTexts, type LinkChange, useChangeLink } from "./change-link.ts";

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
  const may = useMay(CHANGE);
  const { change } = useChangeLink(link, failure);
  const isPending = useIsMutating({ mutationKey: [CHANGE] }) > 0;
  const [lastChange, setLastChange] = useState<Change | null>(null);
  // Something else may have changed the link since.
  const shown = form.isOpen || lastChange?.text !== textOf(link) ? null : lastChange;
  // The button that undid it is gone.
  useFocusAfterChange(`${shown?.note}`, form.button.ref);

  function onDone(changed: Link) {
    setLastChange({ text: textOf(changed), note: saved, earlier: link });
    onChanged?.(changed);
  }

  function undo(earlier: Link) {
    change(changeOf(textOf(earlier)), {
      onDone(changed) {
        if (changed) setLastChange({ text: textOf(changed), note: "Undone.", earlier: null });
        onUndone?.(earlier);
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
            onClick={() => shown.earlier && undo(shown.earlier)}
            className={`${textLinkClass} min-h-6`}
          >
            Undo
          </button>
        )}
      </div>
      {form.isOpen && <FieldForm {...props} onDone={onDone} onClose={form.close} />}
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
  extends Pick<
    EditableFieldProps,
    "link" | "label" | "hint" | "type" | "schema" | "offer" | "textOf" | "min" | "changeOf" | "failure"
  > {
  onDone?: (changed: Link) => void;
  onClose: () => void;
}

export function FieldDialog({ title, ...field }: FieldFormProps & { title: string }) {
  return (
    <Dialog title={title} onClose={field.onClose}>
      <FieldForm {...field} />
    </Dialog>
  );
}

function FieldForm(props: FieldFormProps) {
  const { link, label, hint, type, schema, offer, textOf, changeOf, failure, min, onDone, onClose } = props;
  const { shortCode } = link;
  const before = textOf(link);
  return (
    <div className="mt-4 mb-5 motion-safe:animate-appear">
      <CallForm
        call={CHANGE}
        {...changeTexts(link, failure)}
        rules={z.object({ text: schema })}
        values={{ text: before }}
        input={({ text }) => (text === before ? null : { params: { shortCode }, body: changeOf(text) })}
        {...(onDone && { onDone })}
        onClose={onClose}
      >
        <TextField
          name="text"
          label={label}
          hint={hint}
          type={type}
          min={min}
          {...(type && { autoCapitalize: "none", spellCheck: false })}
        />
        {offer && <Offer offer={offer} />}
      </CallForm>
    </div>
  );
}

const CORRECTED = { shouldDirty: true, shouldValidate: true };

/** Of another text than the one that was typed. */
function Offer({ offer }: Required<Pick<FieldFormProps, "offer">>) {
  const { watch, setValue, formState } = useFormContext<{ text: string }>();
  return formState.isDirty && offer(watch("text"), (text) => setValue("text", text, CORRECTED));
}
