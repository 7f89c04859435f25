import { useQuery } from "@tanstack/react-query";
import { labelName } from "@tapthru/proto/fields";
import type { CountedLabel } from "@tapthru/proto/labels";
import { LABEL_COLOURS, type LabelColour } from "@tapthru/proto/rules/labels";
import { useController } from "react-hook-form";
import * as z from "zod/mini";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { useOpenForm } from "../../../components/ui/form.tsx";
import { SelectField } from "../../../components/ui/select-field.tsx";
import { Action } from "../../../kit/action.tsx";
import { CallForm, TextField } from "../../../kit/call-form.tsx";
import { FormButton } from "../../../kit/may.tsx";
import { linkCountText } from "../../../lib/names.ts";
import { labelsOptions } from "./api.ts";
import { LabelDot } from "./label-chip.tsx";

const LabelFields = z.object({ name: labelName, colour: z.enum(LABEL_COLOURS) });

export function ManageDialog({ onClose }: { onClose: () => void }) {
  const { data: labels = [] } = useQuery(labelsOptions);
  return (
    <Dialog title="Manage labels" onClose={onClose}>
      {labels.length === 0 && <p className="text-muted">You have no labels yet.</p>}
      <ul className="divide-y divide-line">
        {labels.map((label) => (
          <LabelItem key={label.id} label={label} />
        ))}
      </ul>
    </Dialog>
  );
}

function LabelItem({ label: { id, name, colour, linkCount } }: { label: CountedLabel }) {
  const params = { id: String(id) };
  const form = useOpenForm();
  return (
    <li className="py-2">
      <div className="flex flex-wrap items-center gap-x-2">
        <LabelDot colour={colour} />
        <bdi className="min-w-0 flex-1 basis-40 wrap-anywhere">{name}</bdi>
        <div className="ml-auto flex flex-wrap gap-2">
          <FormButton call="PATCH /api/labels/:id" form={form} variant="quiet" aria-label={`Edit label ${name}`}>
            Edit
          </FormButton>
          <Action
            call="DELETE /api/labels/:id"
            input={{ params }}
            label="Delete"
            of={`label ${name}`}
            question={`Delete "${name}"? ${linkCountText(linkCount)} ${linkCount === 1 ? "loses" : "lose"} this label. The links are kept.`}
            variant="quiet"
            done={`Label "${name}" deleted.`}
          />
        </div>
      </div>
      {form.isOpen && (
        <CallForm
          call="PATCH /api/labels/:id"
          rules={LabelFields}
          values={{ name, colour }}
          input={(body) => ({ params, body })}
          errorAt={{ "label-taken": "name" }}
          done={(saved) => `Label "${saved.name}" saved.`}
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
