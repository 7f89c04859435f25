import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";

interface LoadingFailedProps {
  /** What could not be loaded; a heading where the page has no other. */
  message: ReactNode;
  /** What the button says, and does. */
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
