import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Form } from "./form.tsx";

interface SavedChoiceProps<Value> {
  value: Value;
  pending: boolean;
  onSave: (value: Value) => void;
  children: (value: Value, onChoose: (value: Value) => void) => ReactNode;
}

/** A choice that changes nothing before its button is pressed: arrow keys go through the options. */
export function SavedChoice<Value>({ value, pending, onSave, children }: SavedChoiceProps<Value>) {
  const [chosen, setChosen] = useState<{ from: Value; value: Value } | null>(null);
  // It was saved, or something else changed it.
  const shown = chosen?.from === value ? chosen.value : value;
  const isIdle = pending || shown === value;
  return (
    <Form pending={isIdle} onSubmit={() => onSave(shown)} className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-40">
        {children(shown, (next) => setChosen({ from: value, value: next }))}
      </div>
      <Button type="submit" variant="outline" aria-busy={pending} aria-disabled={isIdle}>
        {pending ? "Saving..." : "Save"}
      </Button>
    </Form>
  );
}
