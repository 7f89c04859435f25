import { ChevronDown } from "lucide-react";
import { useId } from "react";
import { Options, type OptionTexts } from "./select.tsx";

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
