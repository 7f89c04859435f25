import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { setApiAuth } from "../../lib/api-auth.ts";
import { refreshAfter } from "../../lib/link-lists.ts";
import type { LoadProvider } from "./load-provider.ts";
import { createSession, type Session, type SessionState } from "./session.ts";
import { wasSignedIn } from "./sign-in-memory.ts";

const SessionContext = createContext<Session | null>(null);

export function SessionProvider({ loadProvider, children }: { loadProvider: LoadProvider; children: ReactNode }) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const [session] = useState(() =>
    createSession({
      loadProvider,
      onEnd: () => queryClient.clear(),
      onClaimed: () => void refreshAfter(queryClient, "POST /api/links/bulk/claim").catch(() => {}),
      async onRefused(error) {
        const { loginErrorMessage } = await import("./session-errors.ts");
        showError(loginErrorMessage(error));
      },
    }),
  );

  useEffect(() => {
    const cleanups = [setApiAuth(session), session.start()];
    return () => {
      for (const cleanUp of cleanups) cleanUp();
    };
  }, [session]);

  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSessionControl(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession must be used within a SessionProvider");
  return session;
}

export function useSession(): SessionState {
  const { subscribe, get, initial } = useSessionControl();
  return useSyncExternalStore(subscribe, get, () => initial);
}

/** Returns true if a user is signed in. While that is not known, the state of the last visit counts. */
export function useIsSignedIn(): boolean {
  const { subscribe, get } = useSessionControl();
  const isSignedIn = () => {
    const { status } = get();
    return status === "signed-in" || (status !== "signed-out" && wasSignedIn());
  };
  // The build renders the pages of guests.
  return useSyncExternalStore(subscribe, isSignedIn, () => false);
}
