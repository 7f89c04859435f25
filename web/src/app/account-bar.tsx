import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Button } from "../components/ui/button.tsx";
import { useIsSignedIn } from "../features/session/session-context.tsx";
import { type ChosenAccount, followRole, switchAccount, useChosenAccount } from "../lib/account.ts";
import { queryOf } from "../lib/http/query-presets.ts";
import { ROLE_NAMES } from "../lib/names.ts";
import { useUnsavedForms } from "../lib/unsaved-text.ts";

/** Says in whose account the pages work, unless it is the user's own. */
export function AccountBar() {
  const account = useChosenAccount();
  const isSignedIn = useIsSignedIn();
  return account && isSignedIn && <Bar account={account} />;
}

function Bar({ account }: { account: ChosenAccount }) {
  const { data } = useQuery(queryOf("GET /api/memberships"));
  const { discard } = useUnsavedForms();
  const membership = data?.find(({ id }) => id === account.id);
  const hasEnded = data !== undefined && membership === undefined;
  const role = membership?.role;
  useEffect(() => {
    if (role) followRole(role);
  }, [role]);
  return (
    <section
      aria-label="Account"
      className="sticky top-bar z-20 flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-notice px-edge py-2 text-md text-notice-ink print:hidden"
    >
      <p className="min-w-0 text-pretty wrap-anywhere">
        {hasEnded ? "You no longer have access to the account of " : "You are in the account of "}
        <bdi className="font-semibold">{account.username}</bdi>
        {!hasEnded && ` as ${ROLE_NAMES[account.role].toLowerCase()}`}
        {!hasEnded && account.role === "viewer" && ", and can change nothing"}
      </p>
      <Button variant="quiet" onClick={() => discard(() => switchAccount(null))}>
        Go to your account
      </Button>
    </section>
  );
}
