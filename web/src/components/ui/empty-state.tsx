import type { ReactNode } from "react";

interface EmptyStateProps {
  icon: ReactNode;
  /** The reason, and what to do. */
  children: ReactNode;
}

/** Shown instead of content that is empty or could not be loaded. */
export function EmptyState({ icon, children }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-5 rounded-2xl border border-dashed border-line px-6 py-16 text-center text-muted">
      {icon}
      {children}
    </div>
  );
}
