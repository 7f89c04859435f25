interface CardCheckboxProps {
  /** The accessible name. */
  label: string;
  checked: boolean;
  /** @param toRange whether Shift was pressed */
  onToggle: (toRange: boolean) => void;
}

/** A checkbox at the start of a card. Its label covers the whole card, so that a click anywhere toggles it. */
export function CardCheckbox({ label, checked, onToggle }: CardCheckboxProps) {
  return (
    <>
      <label className="absolute inset-0 z-1 rounded-2xl outline-accent select-none has-focus-visible:outline-2 has-focus-visible:-outline-offset-2">
        <input
          type="checkbox"
          aria-label={label}
          checked={checked}
          onChange={({ nativeEvent }) =>
            onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
          className="absolute top-1/2 left-3 size-6 -translate-y-1/2 accent-accent outline-none @max-narrow:top-6 sm:left-4"
        />
      </label>
      <span className="size-6 shrink-0" />
    </>
  );
}
