import type { ReactNode } from "react";

interface ScrollAreaProps {
  label: string;
  className?: string;
  children: ReactNode;
}

/** Content that may be wider or taller than the space for it, such as a table. */
export function ScrollArea({ label, className = "", children }: ScrollAreaProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
      tabIndex={0}
      // Text for screen readers is positioned absolutely, and must not widen the page.
      className={`relative overflow-auto ${className}`}
    >
      {children}
    </section>
  );
}
