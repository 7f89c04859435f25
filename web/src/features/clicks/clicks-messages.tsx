import type { UseQueryResult } from "@tanstack/react-query";
import { Button } from "../../components/ui/button.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";

interface ClicksPendingProps {
  query: Pick<UseQueryResult, "errorUpdateCount" | "refetch">;
}

/** Shown until the clicks have loaded. After a failure, the error stays while they are requested again. */
export function ClicksPending({ query: { errorUpdateCount, refetch } }: ClicksPendingProps) {
  return errorUpdateCount > 0 ? <ClicksFailed onRetry={refetch} /> : <ClicksLoading />;
}

/** As tall as the screen, so that the cards below move only outside the screen. */
function ClicksLoading() {
  return (
    <div data-loading className="grid min-h-dvh animate-appear-late place-content-start justify-center pt-24">
      <Spinner label="Loading clicks..." />
    </div>
  );
}

function ClicksFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="flex flex-col items-start gap-4 text-muted">
      <p role="alert">The clicks could not be loaded.</p>
      <Button variant="outline" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
