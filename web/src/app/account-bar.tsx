import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Button } from "../components/ui/button.tsx";
import { Dialog } from "../components/ui/dialog.tsx";
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
  const toOwnAccount = () => discard(() => switchAccount(null));
  if (hasEnded) {
    return (
      <Dialog title={`You are no longer a member of ${account.username}'s account.`} onClose={toOwnAccount}>
        <Button onClick={toOwnAccount}>Go to your account</Button>
      </Dialog>
    );
  }
  return (
    <section
      aria-label="Account"
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-notice px-edge py-2 text-md text-notice-ink print:hidden"
    >
      <p className="min-w-0 text-pretty wrap-anywhere">
        {"You are in the account of "}
        <bdi className="font-semibold">{account.username}</bdi>
        {` as ${ROLE_NAMES[account.role].toLowerCase()}`}
        {account.role === "viewer" && ", and can change nothing"}
      </p>
      <Button variant="quiet" onClick={toOwnAccount}>
        Go to your account
      </Button>
    </section>
  );
}
