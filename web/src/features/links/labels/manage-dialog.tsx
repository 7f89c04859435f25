import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import { labelName } from "@tapthru/proto/fields";
import type { CountedLabel } from "@tapthru/proto/labels";
import { LABEL_COLOURS } from "@tapthru/proto/rules/labels";
import { useState } from "react";
import { useController, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmButton, Dialog, DialogError } from "../../../components/ui/dialog.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { Form } from "../../../components/ui/form.tsx";
import { Select } from "../../../components/ui/select.tsx";
import { HttpError } from "../../../lib/http/http-client.ts";
import { LABELS_NOT_SAVED, labelsOptions, useDeleteLabel, useUpdateLabel } from "./api.ts";
import { LabelDot } from "./label-chip.tsx";

const LabelFields = z.object({ name: labelName, colour: z.enum(LABEL_COLOURS) });

/** Renames, colours and deletes labels. */
export function ManageDialog({ onClose }: { onClose: () => void }) {
  const { data: labels = [] } = useQuery(labelsOptions);
  const [status, setStatus] = useState("");
  return (
    <Dialog title="Manage labels" onClose={onClose}>
      {labels.length === 0 && <p className="text-muted">You have no labels yet.</p>}
      <div className="flex flex-col gap-5">
        {labels.map((label) => (
          <LabelEditor key={label.id} label={label} onChanged={setStatus} />
        ))}
      </div>
      <p role="status" className="mt-4 text-sm text-muted empty:mt-0">
        {status}
      </p>
    </Dialog>
  );
}

interface LabelEditorProps {
  label: CountedLabel;
  /** Called with the text that screen readers read out. */
  onChanged: (status: string) => void;
}

function LabelEditor({ label, onChanged }: LabelEditorProps) {
  const { id, name, colour } = label;
  const { register, control, handleSubmit, formState } = useForm({
    resolver: zodResolver(LabelFields),
    defaultValues: { name, colour },
  });
  const { field: chosen } = useController({ control, name: "colour" });
  const { mutate, isPending, error } = useUpdateLabel();

  function save(fields: z.infer<typeof LabelFields>) {
    mutate({ id, ...fields }, { onSuccess: (saved) => onChanged(`Label "${saved.name}" saved.`) });
  }

  return (
    <fieldset className="min-w-0 border-b border-line pb-5 last:border-0 last:pb-0">
      <legend className="sr-only">{name}</legend>
      <Form pending={isPending} onSubmit={handleSubmit(save)}>
        <Field label="Name" autoComplete="off" error={formState.errors.name?.message} {...register("name")} />
        <div className="mt-2 flex flex-wrap items-center gap-2">
          <LabelDot colour={chosen.value} />
          <Select
            label="Colour"
            value={chosen.value}
            options={LABEL_COLOURS.map((each) => [each, each.charAt(0).toUpperCase() + each.slice(1)])}
            onSelect={chosen.onChange}
          />
          <Button type="submit" variant="outline" aria-label={`Save label ${name}`} aria-disabled={isPending}>
            {isPending ? "Saving..." : "Save"}
          </Button>
        </div>
      </Form>
      <DialogError>{error && errorText(error)}</DialogError>
      <DeleteLabel label={label} onDeleted={() => onChanged(`Label "${name}" deleted.`)} />
    </fieldset>
  );
}

function errorText(error: Error): string {
  return error instanceof HttpError && error.status === 409 ? error.text : LABELS_NOT_SAVED;
}

function DeleteLabel({ label, onDeleted }: { label: CountedLabel; onDeleted: () => void }) {
  const { mutate, isPending, isError } = useDeleteLabel();
  return (
    <div className="mt-2">
      <ConfirmButton
        label="Delete"
        name={`Delete label ${label.name}`}
        pendingLabel="Delete"
        question={`Delete "${label.name}"? ${label.linkCount === 1 ? "1 link loses" : `${label.linkCount} links lose`} this label. The links are kept.`}
        variant="quiet"
        isPending={isPending}
        onConfirm={(close) => mutate(label, { onSuccess: onDeleted, onSettled: close })}
      />
      <DialogError>{isError ? LABELS_NOT_SAVED : null}</DialogError>
    </div>
  );
}
