import { labelName } from "@tapthru/proto/http/fields";
import type { CountedLabel } from "@tapthru/proto/http/labels";
import { LABEL_COLOURS } from "@tapthru/proto/rules/labels";
import { messages } from "@tapthru/proto/rules/messages";
import { type FormEvent, useState } from "react";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import { DialogError } from "../../../components/ui/dialog.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { Select } from "../../../components/ui/select.tsx";
import { HttpError } from "../../../lib/http/http-client.ts";
import { useUpdateLabel } from "../api/change-label.ts";
import { DeleteLabel } from "./delete-label.tsx";
import { LabelDot } from "./label-chip.tsx";

interface LabelEditorProps {
  label: CountedLabel;
  /** Called with the text that screen readers read out. */
  onChanged: (status: string) => void;
}

export function LabelEditor({ label, onChanged }: LabelEditorProps) {
  const [name, setName] = useState(label.name);
  const [colour, setColour] = useState(label.colour);
  const [nameError, setNameError] = useState<string>();
  const { mutate, isPending, error } = useUpdateLabel();

  function save(event: FormEvent) {
    event.preventDefault();
    const parsed = z.safeParse(labelName, name);
    setNameError(parsed.error?.issues[0]?.message);
    if (!parsed.success || isPending) return;
    mutate(
      { id: label.id, name: parsed.data, colour },
      { onSuccess: (saved) => onChanged(messages.labelSaved(saved.name)) },
    );
  }

  return (
    <fieldset className="min-w-0 border-b border-line pb-5 last:border-0 last:pb-0">
      <legend className="sr-only">{label.name}</legend>
      <form noValidate onSubmit={save}>
        <Field
          label={messages.labelName}
          autoComplete="off"
          value={name}
          error={nameError}
          onChange={({ target }) => setName(target.value)}
        />
        <div className="mt-2 flex flex-wrap items-center gap-2">
          <LabelDot colour={colour} />
          <Select
            label={messages.labelColour}
            value={colour}
            options={LABEL_COLOURS.map((each) => [each, messages.labelColours[each]])}
            onSelect={setColour}
          />
          <Button
            type="submit"
            variant="outline"
            aria-label={messages.saveLabel(label.name)}
            aria-disabled={isPending}
          >
            {isPending ? messages.saving : messages.save}
          </Button>
        </div>
      </form>
      <DialogError>{error && errorText(error)}</DialogError>
      <DeleteLabel label={label} onDeleted={() => onChanged(messages.labelDeleted(label.name))} />
    </fieldset>
  );
}

function errorText(error: Error): string {
  return error instanceof HttpError && error.status === 409 ? error.text : messages.labelsNotSaved;
}
