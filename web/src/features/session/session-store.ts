import type { User } from "@tapthru/proto/accounts";
import type { Identity } from "./identity-provider.ts";
import { wasSignedIn } from "./sign-in-memory.ts";

export interface SessionState {
  /**
   * The state of the identity provider. Unknown if a user was signed in at the last visit, and the provider has not
   * loaded or reported in time. It may still do so.
   */
  status: "loading" | "unknown" | "signed-out" | "signed-in";
  /** The identity that the provider reports. */
  identity: Identity | null;
  /** Whether there is a backend session, with which the user's data can be fetched. */
  isAuthenticated: boolean;
  /** The backend's user, which may differ from later changes at the provider. */
  user: User | null;
  /** True from 'Log out' until the start page is shown. */
  isLoggingOut: boolean;
}

export interface SessionStore {
  /** The state when the page was opened, in which the build renders pages. */
  initial: SessionState;
  get(): SessionState;
  set(changes: Partial<SessionState>): void;
  /** Calls the listener after each change. Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export function createSessionStore(): SessionStore {
  const listeners = new Set<() => void>();
  const initial: SessionState = {
    status: "loading",
    identity: null,
    isAuthenticated: false,
    user: null,
    isLoggingOut: false,
  };
  let state = initial;
  return {
    initial,
    get: () => state,
    set(changes) {
      state = { ...state, ...changes };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Ends the loading of the status, because the identity provider is late or could not be loaded. */
export function stopLoading({ get, set }: SessionStore): void {
  if (get().status === "loading") set({ status: wasSignedIn() ? "unknown" : "signed-out" });
}

export function whenLoaded({ get, subscribe }: SessionStore): Promise<void> {
  return new Promise((resolve) => {
    const stop = subscribe(resolveOnceLoaded);
    resolveOnceLoaded();
    function resolveOnceLoaded() {
      if (get().status === "loading") return;
      stop();
      resolve();
    }
  });
}
