import { messages } from "@tapthru/proto/rules/messages";
import { LoadingFailed } from "../../components/ui/loading-failed.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";

export function DetailsError({ onReturn }: { onReturn: () => void }) {
  usePageTitle(messages.errorLoadingLink);
  return (
    <LoadingFailed
      message={<h1>{messages.errorLoadingLink}</h1>}
      action={messages.returnToDashboard}
      onAction={onReturn}
    />
  );
}
