import { type ComponentProps, type ReactNode, useId } from "react";

interface FieldProps extends Omit<ComponentProps<"input">, "id" | "className"> {
  label: string;
  hint?: string | undefined;
  /** What is wrong with the value; stands in the hint's place. */
  error?: string | undefined;
  /** Lies over the input's right end. */
  trailing?: ReactNode;
}

/** An input tied to its label and to what there is to say of it, so that both are read out with it. */
export function Field({ label, hint, error, trailing, ...input }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-note`}
          className={`h-12 w-full rounded-xl border border-line-strong bg-surface pl-4 text-base transition-colors placeholder:text-muted focus-visible:border-accent focus-visible:-outline-offset-1 disabled:bg-sunken disabled:text-muted aria-invalid:border-danger ${trailing ? "pr-13" : "pr-4"}`}
          {...input}
        />
        {trailing && <div className="absolute inset-y-0 right-1 flex items-center">{trailing}</div>}
      </div>
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={`text-sm leading-5 ${note ? "mt-1.5" : ""} ${error ? "font-medium text-danger" : "text-muted"}`}
      >
        {note}
      </p>
    </div>
  );
}
