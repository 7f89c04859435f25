import type { Ref } from "react";
import { type Choice, ChoiceList } from "./choice-list.tsx";

interface RadioListProps<Value extends string> {
  legend: string;
  choices: readonly Choice<Value>[];
  value: Value | null;
  onChange: (value: Value) => void;
  error?: string | undefined;
  /** The first radio button. */
  inputRef?: Ref<HTMLInputElement>;
}

/** Radio buttons, each with a line of explanation. */
export function RadioList<Value extends string>({
  value: chosen,
  ...props
}: RadioListProps<Value>) {
  return <ChoiceList type="radio" isChosen={(value) => value === chosen} {...props} />;
}
