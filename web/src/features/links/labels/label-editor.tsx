import { zodResolver } from "@hookform/resolvers/zod";
import { labelName } from "@tapthru/proto/http/fields";
import type { CountedLabel } from "@tapthru/proto/http/labels";
import { LABEL_COLOURS } from "@tapthru/proto/rules/labels";
import { messages } from "@tapthru/proto/rules/messages";
import { useController, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmButton, DialogError } from "../../../components/ui/dialog.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { Form } from "../../../components/ui/form.tsx";
import { Select } from "../../../components/ui/select.tsx";
import { HttpError } from "../../../lib/http/http-client.ts";
import { useDeleteLabel, useUpdateLabel } from "./api.ts";
import { LabelDot } from "./label-chip.tsx";

const LabelFields = z.object({ name: labelName, colour: z.enum(LABEL_COLOURS) });

interface LabelEditorProps {
  label: CountedLabel;
  /** Called with the text that screen readers read out. */
  onChanged: (status: string) => void;
}

export function LabelEditor({ label, onChanged }: LabelEditorProps) {
  const { id, name, colour } = label;
  const { register, control, handleSubmit, formState } = useForm({
    resolver: zodResolver(LabelFields),
    defaultValues: { name, colour },
  });
  const { field: chosen } = useController({ control, name: "colour" });
  const { mutate, isPending, error } = useUpdateLabel();

  function save(fields: z.infer<typeof LabelFields>) {
    mutate({ id, ...fields }, { onSuccess: (saved) => onChanged(messages.labelSaved(saved.name)) });
  }

  return (
    <fieldset className="min-w-0 border-b border-line pb-5 last:border-0 last:pb-0">
      <legend className="sr-only">{name}</legend>
      <Form pending={isPending} onSubmit={handleSubmit(save)}>
        <Field
          label={messages.labelName}
          autoComplete="off"
          error={formState.errors.name?.message}
          {...register("name")}
        />
        <div className="mt-2 flex flex-wrap items-center gap-2">
          <LabelDot colour={chosen.value} />
          <Select
            label={messages.labelColour}
            value={chosen.value}
            options={LABEL_COLOURS.map((each) => [each, messages.labelColours[each]])}
            onSelect={chosen.onChange}
          />
          <Button
            type="submit"
            variant="outline"
            aria-label={messages.saveLabel(name)}
            aria-disabled={isPending}
          >
            {isPending ? messages.saving : messages.save}
          </Button>
        </div>
      </Form>
      <DialogError>{error && errorText(error)}</DialogError>
      <DeleteLabel label={label} onDeleted={() => onChanged(messages.labelDeleted(name))} />
    </fieldset>
  );
}

function errorText(error: Error): string {
  return error instanceof HttpError && error.status === 409 ? error.text : messages.labelsNotSaved;
}

function DeleteLabel({ label, onDeleted }: { label: CountedLabel; onDeleted: () => void }) {
  const { mutate, isPending, isError } = useDeleteLabel();
  return (
    <div className="mt-2">
      <ConfirmButton
        label={messages.deleteLink}
        name={messages.deleteLabel(label.name)}
        pendingLabel={messages.deleteLink}
        question={messages.confirmDeleteLabel(label.name, label.linkCount)}
        variant="quiet"
        isPending={isPending}
        onConfirm={(close) => mutate(label, { onSuccess: onDeleted, onSettled: close })}
      />
      <DialogError>{isError ? messages.labelsNotSaved : null}</DialogError>
    </div>
  );
}
