import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";

export function EmptyState({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-5 rounded-2xl border border-dashed border-line px-6 py-16 text-center text-muted">
      {icon}
      {children}
    </div>
  );
}

interface LoadingFailedProps {
  /** Says what could not be loaded. A heading if the page has no other. */
  message: ReactNode;
  action: string;
  onAction: () => void;
}

export function LoadingFailed({ message, action, onAction }: LoadingFailedProps) {
  return (
    <EmptyState icon={<CircleAlert aria-hidden className="size-8 text-danger" />}>
      <div role="alert">{message}</div>
      <Button variant="outline" onClick={onAction}>
        {action}
      </Button>
    </EmptyState>
  );
}
