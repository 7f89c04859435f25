import { useQuery } from "@tanstack/react-query";
import { messages } from "@tapthru/proto/rules/messages";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { sessionsOptions } from "./api/list-sessions.ts";
import { LogOutEverywhereButton } from "./log-out-everywhere-button.tsx";
import { SessionList } from "./session-list.tsx";

/** Lists the user's sessions, with a button that ends all of them. */
export function Sessions({ onLoggedOut }: { onLoggedOut: () => Promise<void> }) {
  const { data, isFetching, refetch } = useQuery(sessionsOptions);
  return (
    <Card title={messages.sessionsTitle}>
      {!data && isFetching && (
        // As tall as one session with the button, so that the content below does not move.
        <div
          data-loading
          className="grid min-h-33.5 animate-appear-late place-content-center sm:min-h-28.5"
        >
          <Spinner label={messages.loading} />
        </div>
      )}
      {!data && !isFetching && (
        <div className="flex flex-col items-start gap-4 text-muted">
          <p role="alert">{messages.errorLoadingSessions}</p>
          <Button variant="outline" onClick={() => refetch()}>
            {messages.tryAgain}
          </Button>
        </div>
      )}
      {data && (
        <>
          <SessionList sessions={data} />
          <div className="mt-3 flex flex-col">
            <LogOutEverywhereButton onDone={onLoggedOut} />
          </div>
        </>
      )}
    </Card>
  );
}
