import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useRef } from "react";
import { LoadingFailed } from "../../components/ui/empty-state.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";

interface DetailsErrorProps {
  /** The link was displayed before, and no longer exists. */
  isDeleted: boolean;
  onReturn: () => void;
}

export function DetailsError({ isDeleted, onReturn }: DetailsErrorProps) {
  const message = isDeleted ? messages.linkWasDeleted : messages.errorLoadingLink;
  usePageTitle(isDeleted ? messages.linkDeleted : message);
  const heading = useRef<HTMLHeadingElement>(null);
  // The control that had the focus is gone.
  useEffect(() => {
    if (isDeleted) heading.current?.focus();
  }, [isDeleted]);
  return (
    <LoadingFailed
      message={
        <h1 ref={heading} tabIndex={-1} className="outline-none">
          {message}
        </h1>
      }
      action={messages.returnToDashboard}
      onAction={onReturn}
    />
  );
}
