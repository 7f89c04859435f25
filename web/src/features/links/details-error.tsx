import { messages } from "@tapthru/proto/rules/messages";
import { LoadingFailed } from "../../components/ui/loading-failed.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";

interface DetailsErrorProps {
  /** The link was displayed before, and no longer exists. */
  isDeleted: boolean;
  onReturn: () => void;
}

export function DetailsError({ isDeleted, onReturn }: DetailsErrorProps) {
  const message = isDeleted ? messages.linkWasDeleted : messages.errorLoadingLink;
  usePageTitle(isDeleted ? messages.linkDeleted : message);
  return (
    <LoadingFailed
      message={<h1>{message}</h1>}
      action={messages.returnToDashboard}
      onAction={onReturn}
    />
  );
}
