import { messages } from "@tapthru/proto/rules/messages";
import { LoadingFailed } from "../../components/ui/loading-failed.tsx";

export function DetailsError({ onReturn }: { onReturn: () => void }) {
  return (
    <LoadingFailed
      message={<h1>{messages.errorLoadingLink}</h1>}
      action={messages.returnToDashboard}
      onAction={onReturn}
    />
  );
}
