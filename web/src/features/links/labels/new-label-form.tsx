import { labelName } from "@tapthru/proto/http/fields";
import { LABEL_NAME_MAX_LENGTH } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { type FormEvent, useState } from "react";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import { Field } from "../../../components/ui/field.tsx";

/** A field for the name of a label. */
export function NewLabelForm({ onAdd }: { onAdd: (name: string) => void }) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();

  function submit(event: FormEvent) {
    event.preventDefault();
    const name = z.safeParse(labelName, text);
    setError(name.error?.issues[0]?.message);
    if (!name.success) return;
    onAdd(name.data);
    setText("");
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-40">
        <Field
          label={messages.newLabel}
          name="label"
          autoComplete="off"
          maxLength={LABEL_NAME_MAX_LENGTH}
          value={text}
          error={error}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      <Button type="submit" variant="outline">
        {messages.addLabel}
      </Button>
    </form>
  );
}
