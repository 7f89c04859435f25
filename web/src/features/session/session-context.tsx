import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { setApiAuth } from "../../lib/api-auth.ts";
import { createLazySession, type LazySession } from "./lazy-session.ts";
import type { LoadProvider } from "./load-provider.ts";
import type { SessionState } from "./session-store.ts";
import { wasSignedIn } from "./sign-in-memory.ts";

const SessionContext = createContext<LazySession | null>(null);

interface SessionProviderProps {
  loadProvider: LoadProvider;
  children: ReactNode;
}

export function SessionProvider({ loadProvider, children }: SessionProviderProps) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const [handle] = useState(() =>
    createLazySession({
      loadProvider,
      onEnd: () => queryClient.clear(),
      onRefused: showError,
    }),
  );

  useEffect(() => {
    const cleanups = [setApiAuth(handle), handle.start()];
    return () => {
      for (const cleanUp of cleanups) cleanUp();
    };
  }, [handle]);

  return <SessionContext value={handle}>{children}</SessionContext>;
}

export function useLazySession(): LazySession {
  const handle = useContext(SessionContext);
  if (!handle) throw new Error("useSession must be used within a SessionProvider");
  return handle;
}

export function useSession(): SessionState {
  const { store } = useLazySession();
  return useSyncExternalStore(store.subscribe, store.get, () => store.initial);
}

/** Whether a user is signed in. While that is not known, the state of the last visit. */
export function useIsSignedIn(): boolean {
  const { store } = useLazySession();
  const isSignedIn = () => {
    const { status } = store.get();
    return status === "signed-in" || (status !== "signed-out" && wasSignedIn());
  };
  // The build renders the pages of guests.
  return useSyncExternalStore(store.subscribe, isSignedIn, () => false);
}
