import { type ComponentProps, type Ref, useId } from "react";

interface InputProps extends ComponentProps<"input"> {
  title: string;
  text?: string;
}

/** In a box that is narrow for its text size, the text is below the input: beside it, long words would break. */
function Input({ title, text, ...input }: InputProps) {
  return (
    <label className="flex items-start gap-3 rounded-xl border border-transparent px-3 py-2.5 has-checked:bg-sunken hover:bg-sunken @max-narrow:flex-col @max-narrow:gap-1 @max-narrow:px-2">
      <input {...input} className="mt-1 size-4 shrink-0 accent-accent" />
      <span className="min-w-0 wrap-anywhere">
        {title}
        <span className="block text-sm text-muted">{text}</span>
      </span>
    </label>
  );
}

interface CheckboxProps {
  name: string;
  text?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Checkbox({ name, onChange, ...props }: CheckboxProps) {
  return <Input type="checkbox" title={name} onChange={({ target }) => onChange(target.checked)} {...props} />;
}

interface Choice<Value extends string> {
  value: Value;
  name: string;
  text: string;
}

interface ListProps<Value extends string> {
  legend: string;
  choices: readonly Choice<Value>[];
  error?: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
}

interface ChoiceListProps<Value extends string> extends ListProps<Value> {
  type: "radio" | "checkbox";
  isChosen: (value: Value) => boolean;
  onChange: (value: Value, isChosen: boolean) => void;
}

function ChoiceList<Value extends string>(props: ChoiceListProps<Value>) {
  const { type, legend, choices, isChosen, onChange, error, inputRef } = props;
  const id = useId();
  return (
    <fieldset aria-describedby={`${id}-error`} className="flex min-w-0 flex-col gap-1">
      <legend className="mb-2 text-md font-medium">{legend}</legend>
      <div className="@container flex flex-col gap-1">
        {choices.map(({ value, name, text }, index) => (
          <Input
            key={value}
            ref={index === 0 ? inputRef : undefined}
            title={name}
            text={text}
            type={type}
            name={id}
            value={value}
            checked={isChosen(value)}
            onChange={({ target }) => onChange(value, target.checked)}
          />
        ))}
      </div>
      <p id={`${id}-error`} aria-live="polite" className="text-sm font-medium text-danger">
        {error}
      </p>
    </fieldset>
  );
}

interface RadioListProps<Value extends string> extends ListProps<Value> {
  value: Value | null;
  onChange: (value: Value) => void;
}

export function RadioList<Value extends string>({ value: chosen, ...props }: RadioListProps<Value>) {
  return <ChoiceList type="radio" isChosen={(value) => value === chosen} {...props} />;
}

interface CheckboxListProps<Value extends string> extends ListProps<Value> {
  values: readonly Value[];
  onChange: (values: Value[]) => void;
}

export function CheckboxList<Value extends string>({ values, onChange, ...props }: CheckboxListProps<Value>) {
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
