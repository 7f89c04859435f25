import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { Button } from "../components/ui/button.tsx";
import { useIsSignedIn } from "../features/session/session-context.tsx";
import { switchAccount, useChosenAccount } from "../lib/account.ts";
import { httpErrorOf } from "../lib/http/http-client.ts";
import { ROLE_NAMES, ROLE_TEXTS } from "../lib/names.ts";
import { useUnsavedForms } from "../lib/unsaved-text.ts";

/** Says in whose account the pages work, unless it is the user's own. */
export function AccountBar() {
  const account = useChosenAccount();
  const isSignedIn = useIsSignedIn();
  const hasEnded = useHasEnded();
  const { discard } = useUnsavedForms();
  if (account === null || !isSignedIn) return null;
  const { username, role } = account;
  return (
    <section
      aria-label="Account"
      className="sticky top-bar z-20 flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-notice px-edge py-2 text-md text-notice-ink print:hidden"
    >
      <p className="min-w-0 wrap-anywhere">
        {hasEnded ? "You no longer have access to the account of " : "You are in the account of "}
        <bdi className="font-semibold">{username}</bdi>
        {!hasEnded && (
          <span className="max-sm:hidden">{` as ${ROLE_NAMES[role].toLowerCase()}: ${ROLE_TEXTS[role]}`}</span>
        )}
      </p>
      <Button variant="quiet" onClick={() => discard(() => switchAccount(null))}>
        Go to your account
      </Button>
    </section>
  );
}

/** Whether the api no longer knows the user as a member. */
function useHasEnded(): boolean {
  const cache = useQueryClient().getQueryCache();
  const hasEnded = () => cache.getAll().some(({ state }) => httpErrorOf(state.error)?.code === "not-a-member");
  return useSyncExternalStore(
    (onChange) => cache.subscribe(onChange),
    hasEnded,
    () => false,
  );
}
