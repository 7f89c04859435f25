import type { User } from "@tapthru/proto/http/accounts";
import type { Identity } from "./identity-provider.ts";

export interface SessionState {
  /** Whether the identity provider has somebody signed in. */
  status: "loading" | "signed-out" | "signed-in";
  user: Identity | null;
  /** The backend is logged in to as well, so that it may be asked for what is the user's. */
  isAuthenticated: boolean;
  /** What the backend keeps of the user, whatever the provider has changed since. */
  account: User | null;
  /** From 'Log out' until the start page is reached. */
  isLoggingOut: boolean;
}

export interface SessionStore {
  get(): SessionState;
  set(changes: Partial<SessionState>): void;
  /** Calls back after each change; gives the function that ends it. */
  subscribe(listener: () => void): () => void;
}

export function createSessionStore(): SessionStore {
  const listeners = new Set<() => void>();
  let state: SessionState = {
    status: "loading",
    user: null,
    isAuthenticated: false,
    account: null,
    isLoggingOut: false,
  };
  return {
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
