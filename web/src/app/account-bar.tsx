import { useQuery } from "@tanstack/react-query";
import { paths } from "@tapthru/proto/rules/paths";
import { type ReactNode, useEffect } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { buttonClass } from "../components/ui/button.tsx";
import { OutsideLink } from "../components/ui/links.tsx";
import { Page } from "../components/ui/page.tsx";
import { useIsSignedIn, useSession } from "../features/session/session-context.tsx";
import { membershipsOptions, useChosenAccount } from "../kit/can.tsx";
import { namedAccount } from "../lib/account-address.ts";
import { isPathHere, leaveTo } from "../lib/leave.ts";
import { ROLE_NAMES } from "../lib/names.ts";
import { ErrorPage } from "./error-page.tsx";
import { Loading } from "./session-guards.tsx";

export function AccountBar() {
  const account = useChosenAccount();
  const isSignedIn = useIsSignedIn();
  if (!account || !isSignedIn) return null;
  return (
    <section
      aria-label="Account"
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-notice px-edge py-2 text-md text-notice-ink print:hidden"
    >
      <p className="min-w-0 text-pretty wrap-anywhere">
        You are in the account of <bdi className="font-semibold">{account.username}</bdi>
        {` as ${ROLE_NAMES[account.role].toLowerCase()}`}
        {account.role === "viewer" && ", and can change nothing"}
      </p>
      <OutsideLink href={paths.dashboard} className={buttonClass("quiet")}>
        Go to your account
      </OutsideLink>
    </section>
  );
}

/** The pages of the account that the address names, for its members. Its user is led to the page's own path. */
export function AccountPages({ children }: { children: ReactNode }) {
  const { pathname, search, hash } = useLocation();
  const path = pathname + search + hash;
  const { status, user, isAuthenticated } = useSession();
  const isSignedIn = useIsSignedIn();
  const id = namedAccount();
  const { data, error } = useQuery({ ...membershipsOptions, enabled: id !== null && isAuthenticated });
  const account = data?.find((each) => each.id === id);
  const isOwn = id !== null && id === user?.id;
  useEffect(() => {
    if (isOwn) leaveTo(path, "replace");
  }, [isOwn, path]);

  if (!isSignedIn && id !== null && pathname === paths.home) return <Navigate replace to={paths.login} />;
  const isKnown = status !== "loading" || !isSignedIn;
  if (id === null || account || (user === null && isKnown) || !isPathHere(path)) return children;
  if (error && !isOwn) return <ErrorPage title="We can't reach this account right now" />;
  if (!data || user === null || isOwn) return <Loading text="Loading..." />;
  return (
    <Page layout="narrow" title="No access" heading="You have no access to this account">
      <p className="mb-6 leading-6 text-pretty wrap-anywhere text-muted">
        {`You are logged in as ${user.username}. An owner of the account can invite you.`}
      </p>
      <OutsideLink href={paths.dashboard} className={buttonClass("primary")}>
        Go to your account
      </OutsideLink>
    </Page>
  );
}
