import type { Ref } from "react";
import { type Choice, ChoiceList } from "./choice-list.tsx";

interface CheckboxListProps<Value extends string> {
  legend: string;
  choices: readonly Choice<Value>[];
  values: readonly Value[];
  onChange: (values: Value[]) => void;
  error?: string | undefined;
  /** The first checkbox. */
  inputRef?: Ref<HTMLInputElement>;
}

/** Checkboxes, each with a line of explanation. */
export function CheckboxList<Value extends string>({
  values,
  onChange,
  ...props
}: CheckboxListProps<Value>) {
  return (
    <ChoiceList
      {...props}
      type="checkbox"
      isChosen={(value) => values.includes(value)}
      onChange={(value, isChosen) => {
        const others = values.filter((other) => other !== value);
        onChange(isChosen ? [...others, value] : others);
      }}
    />
  );
}
