import { type ReactNode, useId } from "react";

interface ChoiceBarProps<Value extends string> {
  legend: string;
  /** Hides the legend, except from screen readers. */
  isLegendHidden?: boolean;
  choices: readonly (readonly [value: Value, content: ReactNode])[];
  value: Value;
  onChange: (value: Value) => void;
}

export function ChoiceBar<Value extends string>(props: ChoiceBarProps<Value>) {
  const { legend, isLegendHidden = false, choices, value: chosen, onChange } = props;
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className={isLegendHidden ? "sr-only" : "mb-1.5 text-sm font-medium"}>{legend}</legend>
      <div className="flex flex-wrap gap-1 rounded-xl bg-sunken p-1">
        {choices.map(([value, content]) => (
          <label
            key={value}
            className="flex-auto rounded-lg border border-transparent px-2 py-1.5 text-center text-md text-muted outline-accent has-checked:border-line-strong has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 forced-colors:has-checked:forced-color-adjust-none forced-colors:has-checked:bg-chosen forced-colors:has-checked:text-on-chosen"
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === chosen}
              onChange={() => onChange(value)}
              className="sr-only"
            />
            {content}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
