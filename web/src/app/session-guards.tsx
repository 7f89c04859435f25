import { type ReactNode, useDeferredValue, useEffect, useState } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { useIsSignedIn, useLazySession, useSession } from "../features/session/session-context.tsx";
import { usePageTitle } from "../lib/use-page-title.ts";
import { ErrorPage } from "./error-page.tsx";
import { paths } from "./paths.ts";

interface RequireSessionProps {
  /** Where signed-out users go. From /login they return after signing in. */
  signedOutTo: typeof paths.login | typeof paths.home;
  /** Where users go if the backend login fails. By default the page says so, until a later attempt succeeds. */
  failedTo?: typeof paths.home;
  /** Shown until the backend login has finished and the children's code has loaded. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Shows its children to users who are signed in to the identity provider and to the backend. */
export function RequireSession({
  signedOutTo,
  failedTo,
  fallback = <Loading text="Loading..." />,
  children,
}: RequireSessionProps) {
  const { status, identity, isAuthenticated, isLoggingOut } = useSession();
  const hasFailed = useBackendLogin(identity?.uid);
  // If the children suspend, a deferred value keeps the fallback on screen instead of an empty page.
  const showsChildren = useDeferredValue(isAuthenticated) && isAuthenticated;
  const { pathname, search } = useLocation();

  if (status === "signed-out") {
    // While logging out, useLogOut navigates to the start page.
    if (isLoggingOut) return null;
    return <Navigate replace to={signedOutTo} state={{ from: pathname + search } satisfies ReturnLocation} />;
  }
  if (showsChildren) return children;
  if (hasFailed && failedTo) return <Navigate replace to={failedTo} />;
  const isUnavailable = (hasFailed && !isAuthenticated) || status === "unknown";
  return isUnavailable ? <ErrorPage title="We can't reach your account right now" /> : fallback;
}

/** Logs in to the backend if necessary. Returns true after a failure. */
function useBackendLogin(uid: string | undefined): boolean {
  const { load, findStatus } = useLazySession();
  const [failedUid, setFailedUid] = useState<string>();
  useEffect(findStatus, [findStatus]);
  useEffect(() => {
    if (!uid) return;
    load()
      .then((session) => session.authenticate())
      .catch(() => setFailedUid(uid));
  }, [load, uid]);
  return uid !== undefined && failedUid === uid;
}

interface SignedOutOnlyProps {
  /** Where signed-in users go. */
  signedInTo: string;
  children: ReactNode;
}

/**
 * Shows its children to signed-out users, to users not signed in at the last visit while the status loads, and if the
 * status cannot be found out.
 */
export function SignedOutOnly({ signedInTo, children }: SignedOutOnlyProps) {
  const { status } = useSession();
  const isSignedIn = useIsSignedIn();
  if (!isSignedIn || status === "unknown") return children;
  return status === "signed-in" && <Navigate replace to={signedInTo} />;
}

/** Router state that a guarded page passes to /login. */
interface ReturnLocation {
  from: string;
}

/** Where to go after login: the page that required it, else the dashboard. */
export function returnPath(state: unknown): string {
  return isReturnLocation(state) ? state.from : paths.dashboard;
}

function isReturnLocation(state: unknown): state is ReturnLocation {
  return typeof state === "object" && state !== null && "from" in state;
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
