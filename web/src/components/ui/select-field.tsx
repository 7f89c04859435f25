import { ChevronDown } from "lucide-react";
import { useId } from "react";

interface SelectFieldProps {
  label: string;
  options: OptionTexts;
  value: string;
  onChange: (value: string) => void;
}

export function SelectField({ label, options, value, onChange }: SelectFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className="h-12 w-full appearance-none rounded-xl border border-line-strong bg-surface pr-11 pl-4 focus-visible:border-accent focus-visible:-outline-offset-1"
        >
          <Options of={options} />
        </select>
        <ChevronDown
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-4 size-4 -translate-y-1/2 text-muted"
        />
      </div>
    </div>
  );
}

export type OptionTexts<Value extends string = string> = readonly (readonly [value: Value, text: string])[];

export function Options({ of }: { of: OptionTexts }) {
  return of.map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));
}

interface SelectProps<Value extends string> {
  label: string;
  value: Value;
  options: OptionTexts<Value>;
  onSelect: (value: Value) => void;
}

/** A select element without a visible label: each option says what it does. */
export function HeadSelect<Value extends string>({ label, value, options, onSelect }: SelectProps<Value>) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => {
        const chosen = options.find(([option]) => option === target.value);
        if (chosen) onSelect(chosen[0]);
      }}
      className="min-h-11 w-40 max-w-full rounded-xl border border-line-strong bg-surface px-3 transition-colors hover:border-accent"
    >
      <Options of={options} />
    </select>
  );
}
