import { type ComponentProps, type ReactNode, useId, useState } from "react";

interface FieldProps extends Omit<ComponentProps<"input">, "id" | "className"> {
  label: string;
  hint?: string | undefined;
  /** Says what is unusual about the text, which can be saved. Replaces the hint. */
  warning?: string | undefined;
  /** The validation message. Replaces the hint. */
  error?: string | undefined;
  /** The id of an element that also describes the field, such as an error of the whole form. */
  describedBy?: string | undefined;
  trailing?: ReactNode;
}

export function Field({ label, hint, warning, error, describedBy, trailing, ...input }: FieldProps) {
  const id = useId();
  const note = error ?? warning ?? hint;
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy ? `${id}-note ${describedBy}` : `${id}-note`}
          className={`h-12 w-full rounded-xl border border-line-strong bg-surface pl-4 transition-colors placeholder:text-muted focus-visible:border-accent focus-visible:-outline-offset-1 disabled:bg-sunken disabled:text-muted aria-invalid:border-danger ${trailing ? "pr-13" : "pr-4"}`}
          {...input}
        />
        {trailing && <div className="absolute inset-y-0 right-1 flex items-center">{trailing}</div>}
      </div>
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={`text-sm leading-5 ${note ? "mt-1.5" : ""} ${error ? "font-medium text-danger" : warning ? "rounded-lg bg-notice px-3 py-2 text-notice-ink" : "text-muted"}`}
      >
        {note}
      </p>
    </div>
  );
}

interface DayFieldProps {
  label: string;
  value: string | null;
  onDay: (day: string | null) => void;
}

/** A day, such as 2026-11-21, that counts once it is typed whole: the first digit of a year is a day of the year 2. */
export function DayField({ label, value, onDay }: DayFieldProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <Field
      type="date"
      label={label}
      min="1970-01-01"
      max="9999-12-31"
      value={typed ?? value ?? ""}
      onChange={({ target }) => {
        setTyped(target.value);
        if (target.validity.valid) onDay(target.value || null);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
