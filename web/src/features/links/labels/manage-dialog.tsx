import { useQuery } from "@tanstack/react-query";
import { labelName } from "@tapthru/proto/fields";
import type { CountedLabel } from "@tapthru/proto/labels";
import { LABEL_COLOURS, type LabelColour } from "@tapthru/proto/rules/labels";
import { useState } from "react";
import { useController } from "react-hook-form";
import * as z from "zod/mini";
import { ConfirmButton, Dialog, DialogError } from "../../../components/ui/dialog.tsx";
import { useOpenForm } from "../../../components/ui/form.tsx";
import { SelectField } from "../../../components/ui/select-field.tsx";
import { CallForm, TextField } from "../../../kit/call-form.tsx";
import { FormButton } from "../../../kit/may.tsx";
import { useCall } from "../../../kit/use-call.ts";
import { linkCountText } from "../../../lib/names.ts";
import { useUnsavedForms } from "../../../lib/unsaved-text.ts";
import { labelsOptions } from "./api.ts";
import { LabelDot } from "./label-chip.tsx";

const LabelFields = z.object({ name: labelName, colour: z.enum(LABEL_COLOURS) });

export function ManageDialog({ onClose }: { onClose: () => void }) {
  const { data: labels = [] } = useQuery(labelsOptions);
  const [status, setStatus] = useState("");
  const { discard } = useUnsavedForms();
  return (
    <Dialog title="Manage labels" onClose={() => discard(onClose)}>
      {labels.length === 0 && <p className="text-muted">You have no labels yet.</p>}
      <ul className="divide-y divide-line">
        {labels.map((label) => (
          <LabelItem key={label.id} label={label} onChanged={setStatus} />
        ))}
      </ul>
      <p role="status" className="mt-4 text-sm text-muted empty:mt-0">
        {status}
      </p>
    </Dialog>
  );
}

interface LabelItemProps {
  label: CountedLabel;
  /** Called with the text that screen readers read out. */
  onChanged: (status: string) => void;
}

function LabelItem({ label: { id, name, colour, linkCount }, onChanged }: LabelItemProps) {
  const params = { id: String(id) };
  const form = useOpenForm();
  const [error, setError] = useState<string>();
  const { call, isPending } = useCall("DELETE /api/labels/:id");
  return (
    <li className="py-2">
      <div className="flex flex-wrap items-center gap-x-2">
        <LabelDot colour={colour} />
        <bdi className="min-w-0 flex-1 basis-40 wrap-anywhere">{name}</bdi>
        <div className="ml-auto flex flex-wrap gap-2">
          <FormButton call="PATCH /api/labels/:id" form={form} variant="quiet" aria-label={`Edit label ${name}`}>
            Edit
          </FormButton>
          <ConfirmButton
            label="Delete"
            name={`Delete label ${name}`}
            question={`Delete "${name}"? ${linkCountText(linkCount)} ${linkCount === 1 ? "loses" : "lose"} this label. The links are kept.`}
            variant="quiet"
            isPending={isPending}
            onConfirm={(close) =>
              call(
                { params },
                { onSettled: close, onDone: () => onChanged(`Label "${name}" deleted.`), onFailed: setError },
              )
            }
          />
        </div>
      </div>
      <DialogError>{error}</DialogError>
      {form.isOpen && (
        <CallForm
          call="PATCH /api/labels/:id"
          rules={LabelFields}
          values={{ name, colour }}
          input={(body) => ({ params, body })}
          errorAt={{ "label-taken": "name" }}
          onDone={(saved) => onChanged(`Label "${saved.name}" saved.`)}
          onClose={form.close}
        >
          <TextField name="name" label="Name" />
          <ColourField />
        </CallForm>
      )}
    </li>
  );
}

function ColourField() {
  const { field } = useController<{ colour: LabelColour }>({ name: "colour" });
  return (
    <div className="flex items-center gap-2">
      <LabelDot colour={field.value} />
      <SelectField
        label="Colour"
        value={field.value}
        options={LABEL_COLOURS.map((each) => [each, each.charAt(0).toUpperCase() + each.slice(1)])}
        onChange={field.onChange}
      />
    </div>
  );
}
