import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";

interface LoadingFailedProps {
  /** Says what could not be loaded. A heading if the page has no other. */
  message: ReactNode;
  /** The label of the button. */
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
