import { useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { giveCallsAccess } from "../../lib/session-access.ts";
import type { LoadProvider } from "./load-provider.ts";
import { createSession, type Session, type SessionState } from "./session.ts";
import { wasSignedIn } from "./sign-in-memory.ts";

const SessionContext = createContext<Session | null>(null);

interface SessionProviderProps {
  loadProvider: LoadProvider;
  children: ReactNode;
}

export function SessionProvider({ loadProvider, children }: SessionProviderProps) {
  const queryClient = useQueryClient();
  const [session] = useState(() =>
    createSession({ loadProvider, onEnd: () => queryClient.clear() }),
  );

  useEffect(() => {
    const ends = [giveCallsAccess(session), session.start()];
    return () => {
      for (const end of ends) end();
    };
  }, [session]);

  return <SessionContext value={session}>{children}</SessionContext>;
}

/** What can be done about the session. */
export function useSessionControl(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession needs a SessionProvider around it");
  return session;
}

export function useSession(): SessionState {
  const session = useSessionControl();
  return useSyncExternalStore(session.subscribe, session.getState);
}

/** Whether somebody is signed in, guessed from the last visit until the provider knows. */
export function useIsSignedIn(): boolean {
  const { status } = useSession();
  return status === "loading" ? wasSignedIn() : status === "signed-in";
}
