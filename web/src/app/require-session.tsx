import { messages } from "@tapthru/proto/rules/messages";
import { type ReactNode, useDeferredValue, useEffect, useState } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { useSession, useSessionHandle } from "../features/session/session-context.tsx";
import { Loading } from "./loading.tsx";
import { paths } from "./paths.ts";
import type { ReturnLocation } from "./return-path.ts";

interface RequireSessionProps {
  /** Where the signed-out go; from /login they come back. */
  signedOutTo: typeof paths.login | typeof paths.home;
  /** Stands there until the backend is logged in to and the children's code has come. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Shows its children to a user whom both the identity provider and the backend know. */
export function RequireSession({
  signedOutTo,
  fallback = <Loading text={messages.loading} />,
  children,
}: RequireSessionProps) {
  const { status, user, isAuthenticated, isLoggingOut } = useSession();
  const hasFailed = useBackendLogin(user?.uid);
  // Children that suspend now would leave the page empty; deferred, they leave the fallback.
  const showsChildren = useDeferredValue(isAuthenticated) && isAuthenticated;
  const { pathname, search } = useLocation();

  if (status === "signed-out") {
    // Who logs out is on the way to the start page.
    if (isLoggingOut) return null;
    return (
      <Navigate
        replace
        to={signedOutTo}
        state={{ from: pathname + search } satisfies ReturnLocation}
      />
    );
  }
  if (hasFailed) return <Navigate replace to={paths.home} />;
  return showsChildren ? children : fallback;
}

/** Logs in to the backend where that is not done yet; true once it failed. */
function useBackendLogin(uid: string | undefined): boolean {
  const { load } = useSessionHandle();
  const [failedUid, setFailedUid] = useState<string>();
  useEffect(() => {
    if (!uid) return;
    load()
      .then((session) => session.authenticate())
      .catch(() => setFailedUid(uid));
  }, [load, uid]);
  return uid !== undefined && failedUid === uid;
}
