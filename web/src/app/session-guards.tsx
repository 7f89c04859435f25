import { paths } from "@tapthru/proto/rules/paths";
import { type ReactNode, useDeferredValue, useEffect, useState } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { useIsSignedIn, useSession, useSessionControl } from "../features/session/session-context.tsx";
import { namedAccount } from "../lib/account-address.ts";
import { returningTo, returnPath } from "../lib/return-path.ts";
import { usePageTitle } from "../lib/use-page-title.ts";
import { ErrorPage } from "./error-page.tsx";

interface RequireSessionProps {
  /** Where signed-out users go. From /login they return after signing in. The account of another user has no start page. */
  signedOutTo: typeof paths.login | typeof paths.home;
  /** Where users go if the api cannot open their session. By default the page says so, until a later attempt succeeds. */
  failedTo?: typeof paths.home;
  /** Shown until the session is open and the children's code has loaded. */
  fallback?: ReactNode;
  children: ReactNode;
}

export function RequireSession({
  signedOutTo,
  failedTo,
  fallback = <Loading text="Loading..." />,
  children,
}: RequireSessionProps) {
  const { status, isAuthenticated, isLoggingOut } = useSession();
  const isFound = useStatus(true);
  // If the children suspend, a deferred value keeps the fallback on screen instead of an empty page.
  const showsChildren = useDeferredValue(isAuthenticated) && isAuthenticated;
  const { pathname, search } = useLocation();

  if (status === "signed-out") {
    // While logging out, useLogOut navigates to the start page.
    if (isLoggingOut) return null;
    const hasStart = signedOutTo === paths.home && namedAccount() === null;
    return <Navigate replace to={hasStart ? paths.home : returningTo(pathname + search)} />;
  }
  if (showsChildren) return children;
  if (status === "failed" && !isFound) return fallback;
  if (status === "failed" && failedTo) return <Navigate replace to={failedTo} />;
  return status === "failed" || status === "unknown" ? (
    <ErrorPage title="We can't reach your account right now" />
  ) : (
    fallback
  );
}

/** Finds out who is signed in if that is needed, unless it is known. @returns whether it has tried */
function useStatus(isNeeded: boolean): boolean {
  const { get, find } = useSessionControl();
  const [isFound, setFound] = useState(false);
  useEffect(() => {
    if (isNeeded && get().identity === null) find().then(() => setFound(true));
  }, [isNeeded, get, find]);
  return isFound;
}

/**
 * Leads signed-in users to the page that the address names, else the dashboard. Shows its children to signed-out users, to users not signed in at the last visit while the status loads, and if the
 * status cannot be found out.
 */
export function SignedOutOnly({ children }: { children: ReactNode }) {
  const { status } = useSession();
  const isSignedIn = useIsSignedIn();
  const from = returnPath(useLocation().search);
  useStatus(isSignedIn || from !== null);
  if (!isSignedIn || status === "unknown" || status === "failed") return children;
  return status === "signed-in" && <Navigate replace to={from ?? paths.dashboard} />;
}

/** A placeholder while a page loads. It appears after a delay, so that a fast response does not flicker. */
export function Loading({ text }: { text: string }) {
  usePageTitle(text);
  return (
    <div
      role="status"
      data-loading
      className="flex flex-1 animate-appear-late items-center justify-center p-6 text-muted"
    >
      <h1>{text}</h1>
    </div>
  );
}
