import { messages } from "@tapthru/proto/rules/messages";
import { Button } from "../../components/ui/button.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";

/** As tall as the screen, so that the cards below move only outside the screen. */
export function ClicksLoading() {
  return (
    <div
      data-loading
      className="grid min-h-dvh animate-appear-late place-content-start justify-center pt-24"
    >
      <Spinner label={messages.loadingClicks} />
    </div>
  );
}

export function ClicksFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="flex flex-col items-start gap-4 text-muted">
      <p role="alert">{messages.clicksFailed}</p>
      <Button variant="outline" onClick={onRetry}>
        {messages.tryAgain}
      </Button>
    </div>
  );
}
