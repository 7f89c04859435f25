import type { ReactNode } from "react";
import { Navigate } from "react-router-dom";
import { useIsSignedIn, useSession } from "../features/session/session-context.tsx";

interface SignedOutOnlyProps {
  /** Where the signed-in go. */
  signedInTo: string;
  children: ReactNode;
}

/** Shows its children to the signed-out, and to who was not signed in when last here. */
export function SignedOutOnly({ signedInTo, children }: SignedOutOnlyProps) {
  const { status } = useSession();
  const isSignedIn = useIsSignedIn();
  if (!isSignedIn) return children;
  return status === "signed-in" && <Navigate replace to={signedInTo} />;
}
