import { queryOptions, useQuery } from "@tanstack/react-query";
import type { listSessions } from "@tapthru/proto/sessions";
import { useState } from "react";
import type * as z from "zod/mini";
import { RevokeKeys, useOwnKeyNames } from "../../components/revoke-keys.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { formatMinute } from "../../lib/dates.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";
import { browserName } from "./browser-name.ts";

/** Lists the user's sessions, with a button that ends all of them. */
export function Sessions({ onLoggedOut }: { onLoggedOut: () => Promise<void> }) {
  const { data, isFetching, refetch } = useQuery(sessionsOptions);
  return (
    <Card title="Where you are logged in">
      {!data && isFetching && (
        // As tall as one session with the button, so that the content below does not move.
        <div data-loading className="grid min-h-33.5 animate-appear-late place-content-center sm:min-h-28.5">
          <Spinner label="Loading..." />
        </div>
      )}
      {!data && !isFetching && (
        <div className="flex flex-col items-start gap-4 text-muted">
          <p role="alert">Your sessions could not be loaded.</p>
          <Button variant="outline" onClick={() => refetch()}>
            Try again
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

type Session = z.infer<(typeof listSessions)["replies"][200]>[number];

function SessionList({ sessions }: { sessions: readonly Session[] }) {
  return (
    <ul aria-label="Where you are logged in" className="divide-y divide-line">
      {sessions.map(({ id, userAgent, lastSeenAt, createdAt, isCurrent }) => (
        <li key={id} className="py-3 first:pt-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
            {browserName(userAgent)}
            {isCurrent && <Badge>This browser</Badge>}
          </p>
          <p className="mt-0.5 text-sm text-muted">
            {`Last used ${formatMinute(lastSeenAt)}, logged in ${formatMinute(createdAt)}`}
          </p>
        </li>
      ))}
    </ul>
  );
}

function LogOutEverywhereButton({ onDone }: { onDone: () => Promise<void> }) {
  const { mutate, isPending } = useLogOutEverywhere(onDone);
  const keyNames = useOwnKeyNames();
  const [revokesKeys, setRevokesKeys] = useState(false);
  return (
    <ConfirmButton
      label="Log out everywhere"
      pendingLabel="Logging out..."
      question="Log out of all browsers, including this one? You will need to log in again."
      variant="outline"
      confirmVariant="primary"
      isPending={isPending}
      onConfirm={(close) => mutate(revokesKeys, { onError: close })}
    >
      <div className="mt-4">
        <RevokeKeys names={keyNames} checked={revokesKeys} onChange={setRevokesKeys} />
      </div>
    </ConfirmButton>
  );
}

const PATH = "/api/sessions";

/** Always stale, so that each visit to the page refetches it. */
const sessionsOptions = queryOptions({
  queryKey: [PATH],
  queryFn: ({ signal }) => callApi(`GET ${PATH}`, { signal }),
  staleTime: 0,
});

/** @param onDone called after all sessions have ended, to log out this browser */
function useLogOutEverywhere(onDone: () => Promise<void>) {
  const showError = useErrorToast();
  return useSingleMutation({
    mutationFn: (revokesKeys: boolean) => callApi("DELETE /api/sessions", { query: { revokesKeys: `${revokesKeys}` } }),
    onSuccess: onDone,
    onError() {
      showError("Failed to log out. Please try again.");
    },
  });
}
