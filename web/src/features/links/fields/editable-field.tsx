import { useIsMutating } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { Pencil } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useFormContext } from "react-hook-form";
import * as z from "zod/mini";
import { IconButton } from "../../../components/ui/button.tsx";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { useOpenForm } from "../../../components/ui/form.tsx";
import { CallForm, TextField } from "../../../kit/call-form.tsx";
import { usePermission } from "../../../kit/can.tsx";
import type { InputOf } from "../../../lib/http/call-api.ts";
import { isUsable } from "../link-state.tsx";
import { CHANGE, changeTexts, type LinkChange } from "./change-link.ts";

interface FieldFormProps {
  link: Link;
  label: string;
  hint?: string;
  type?: "text" | "url" | "date" | "datetime-local";
  min?: string;
  schema: z.ZodMiniType<string, string>;
  offer?: (text: string, onTake: (text: string) => void) => ReactNode;
  textOf: (link: Link) => string;
  changeOf: (text: string) => LinkChange;
  failure?: string;
  saved?: string;
  /** The change that gives the link what it had before. */
  undo?: (earlier: Link) => InputOf<typeof CHANGE>["body"];
  onChanged?: (link: Link) => void;
  onClose: () => void;
}

export interface EditableFieldProps extends Omit<FieldFormProps, "onClose"> {
  /** Given if something else opens the form too. */
  form?: ReturnType<typeof useOpenForm>;
  children: ReactNode;
  className?: string;
  /** A remark below it. The label of the open form replaces it. */
  remark?: string;
  pencil: string;
}

/**
 * A field of a link with a pencil button that opens a form below it. In a box that is narrow for its text size, the
 * pencil is below the text: beside it, long words would break.
 */
export function EditableField({ form: given, children, className = "", remark, pencil, ...field }: EditableFieldProps) {
  const ownForm = useOpenForm();
  const form = given ?? ownForm;
  const may = usePermission(CHANGE);
  const isPending = useIsMutating({ mutationKey: [CHANGE] }) > 0;
  return (
    <>
      <div className={`flex items-start gap-1 @max-narrow:flex-wrap ${className}`}>
        <div className="min-w-0 @max-narrow:basis-full">{children}</div>
        {may && isUsable(field.link) && (
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
      {form.isOpen && <FieldForm saved="Saved." {...field} onClose={form.close} />}
    </>
  );
}

export function FieldDialog({ title, ...field }: FieldFormProps & { title: string }) {
  return (
    <Dialog title={title} onClose={field.onClose}>
      <FieldForm {...field} />
    </Dialog>
  );
}

function FieldForm(props: FieldFormProps) {
  const { link, label, hint, type, schema, offer, textOf, changeOf, failure, min, saved, undo, onChanged, onClose } =
    props;
  const params = { shortCode: link.shortCode };
  const before = textOf(link);
  // It stays after the link has changed.
  const [undone] = useState(undo?.(link));
  return (
    <div className="mt-4 mb-5 motion-safe:animate-appear">
      <CallForm
        call={CHANGE}
        {...changeTexts(link, failure)}
        rules={z.object({ text: schema })}
        values={{ text: before }}
        input={({ text }) => (text === before ? null : { params, body: changeOf(text) })}
        done={saved && ((_, { body }) => (body === undone ? "Undone." : saved))}
        undo={(_, { body }) => (undone && body !== undone ? { params, body: undone } : null)}
        onDone={(changed) => onChanged?.(changed)}
        onClose={onClose}
      >
        <TextField
          name="text"
          label={label}
          hint={hint}
          type={type}
          // Without it the year takes six digits, also those of the time.
          {...(type === "datetime-local" && { max: "9999-12-31T23:59" })}
          min={min}
          {...(type && { autoCapitalize: "none", spellCheck: false })}
        />
        {offer && <Offer offer={offer} />}
      </CallForm>
    </div>
  );
}

const CORRECTED = { shouldDirty: true, shouldValidate: true };

function Offer({ offer }: Required<Pick<FieldFormProps, "offer">>) {
  const { watch, setValue, formState } = useFormContext<{ text: string }>();
  return formState.isDirty && offer(watch("text"), (text) => setValue("text", text, CORRECTED));
}
