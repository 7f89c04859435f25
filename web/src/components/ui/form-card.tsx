import type { ReactNode } from "react";

/** The card around the form of a narrow page. */
export function FormCard({ children }: { children: ReactNode }) {
  return (
    <div className="rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-8">
      {children}
    </div>
  );
}
