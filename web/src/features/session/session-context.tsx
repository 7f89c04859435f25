import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { QueryScopeContext } from "../../lib/http/query-scope.ts";
import { setSessionAccess } from "../../lib/session-access.ts";
import type { LoadProvider } from "./load-provider.ts";
import { createSessionHandle, type SessionHandle } from "./session-handle.ts";
import type { SessionState } from "./session-store.ts";
import { wasSignedIn } from "./sign-in-memory.ts";

const SessionContext = createContext<SessionHandle | null>(null);

interface SessionProviderProps {
  loadProvider: LoadProvider;
  children: ReactNode;
}

export function SessionProvider({ loadProvider, children }: SessionProviderProps) {
  const queries = useContext(QueryScopeContext);
  const [handle] = useState(() =>
    createSessionHandle({ loadProvider, onEnd: () => queries.client?.clear() }),
  );

  useEffect(() => {
    const cleanups = [setSessionAccess(handle), handle.start()];
    return () => {
      for (const cleanUp of cleanups) cleanUp();
    };
  }, [handle]);

  return <SessionContext value={handle}>{children}</SessionContext>;
}

export function useSessionHandle(): SessionHandle {
  const handle = useContext(SessionContext);
  if (!handle) throw new Error("useSession must be used within a SessionProvider");
  return handle;
}

export function useSession(): SessionState {
  const { store } = useSessionHandle();
  return useSyncExternalStore(store.subscribe, store.get, () => store.initial);
}

/** Whether a user is signed in. While that is not known, the state of the last visit. */
export function useIsSignedIn(): boolean {
  const { store } = useSessionHandle();
  const isSignedIn = () => {
    const { status } = store.get();
    return status === "signed-in" || (status !== "signed-out" && wasSignedIn());
  };
  // The build renders the pages of visitors.
  return useSyncExternalStore(store.subscribe, isSignedIn, () => false);
}
