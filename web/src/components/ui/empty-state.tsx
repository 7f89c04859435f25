import type { ReactNode } from "react";

interface EmptyStateProps {
  icon: ReactNode;
  /** Why there is nothing, and what to do about it. */
  children: ReactNode;
}

/** Stands where there is nothing to show, or nothing that could be loaded. */
export function EmptyState({ icon, children }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-5 rounded-2xl border border-dashed border-line px-6 py-16 text-center text-muted">
      {icon}
      {children}
    </div>
  );
}
