import type { ReactNode } from "react";
import { Navigate } from "react-router-dom";
import { useIsSignedIn, useSession } from "../features/session/session-context.tsx";

interface SignedOutOnlyProps {
  /** Where signed-in users go. */
  signedInTo: string;
  children: ReactNode;
}

/** Shows its children to signed-out users and, while the status loads, to users not signed in at the last visit. */
export function SignedOutOnly({ signedInTo, children }: SignedOutOnlyProps) {
  const { status } = useSession();
  const isSignedIn = useIsSignedIn();
  if (!isSignedIn) return children;
  return status === "signed-in" && <Navigate replace to={signedInTo} />;
}
