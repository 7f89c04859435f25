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
