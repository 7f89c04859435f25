import { messages } from "@tapthru/proto/rules/messages";
import type { FormEvent } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { Field } from "../../../components/ui/field.tsx";

interface NewLabelFormProps {
  text: string;
  error: string | undefined;
  onType: (text: string) => void;
  onAdd: () => void;
}

/** A field for the name of a label. */
export function NewLabelForm({ text, error, onType, onAdd }: NewLabelFormProps) {
  function submit(event: FormEvent) {
    event.preventDefault();
    onAdd();
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-40">
        <Field
          label={messages.newLabel}
          name="label"
          autoComplete="off"
          value={text}
          error={error}
          onChange={({ target }) => onType(target.value)}
        />
      </div>
      <Button type="submit" variant="outline">
        {messages.addLabel}
      </Button>
    </form>
  );
}
