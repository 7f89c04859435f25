import type { ReactNode } from "react";
import { Navigate } from "react-router-dom";
import { useIsSignedIn, useSession } from "../features/session/session-context.tsx";

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
