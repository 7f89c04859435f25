interface CheckboxProps {
  name: string;
  /** Below the name. */
  text?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Checkbox({ name, text, checked, onChange }: CheckboxProps) {
  return (
    <label className="flex items-start gap-3 rounded-xl px-3 py-2.5 hover:bg-sunken">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0 wrap-anywhere">
        {name}
        <span className="block text-sm text-muted">{text}</span>
      </span>
    </label>
  );
}
