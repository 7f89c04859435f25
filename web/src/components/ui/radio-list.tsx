import { useId } from "react";

interface RadioListProps<Value extends string> {
  legend: string;
  choices: readonly { value: Value; name: string; text: string }[];
  value: Value | null;
  onChange: (value: Value) => void;
  error?: string | undefined;
}

/** Radio buttons, each with a line of explanation. */
export function RadioList<Value extends string>(props: RadioListProps<Value>) {
  const { legend, choices, value: chosen, onChange, error } = props;
  const id = useId();
  return (
    <fieldset aria-describedby={`${id}-error`} className="flex min-w-0 flex-col gap-1">
      <legend className="mb-2 text-md font-medium">{legend}</legend>
      {choices.map(({ value, name, text }) => (
        <label
          key={value}
          className="flex items-start gap-3 rounded-xl border border-transparent px-3 py-2.5 has-checked:bg-sunken hover:bg-sunken"
        >
          <input
            type="radio"
            name={id}
            value={value}
            checked={value === chosen}
            onChange={() => onChange(value)}
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span className="min-w-0">
            {name}
            <span className="block text-sm text-muted">{text}</span>
          </span>
        </label>
      ))}
      <p id={`${id}-error`} aria-live="polite" className="text-sm font-medium text-danger">
        {error}
      </p>
    </fieldset>
  );
}
