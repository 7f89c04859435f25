import { BACKEND_LOGIN_SETTLE_MS } from "@tapthru/proto/rules/limits";
import type { SessionAccess } from "../../lib/session-access.ts";
import { wait } from "../../lib/wait.ts";
import { logOut } from "./api/log-out.ts";
import { createBackendEntry, type Entry } from "./backend-entry.ts";
import type { Identity, IdentityProvider } from "./identity-provider.ts";
import type { LoadProvider } from "./load-provider.ts";
import { rememberSignIn, wasSignedIn } from "./sign-in-memory.ts";
import { afterOtherTabs } from "./tab-lock.ts";

export interface SessionState {
  /** Whether the identity provider has somebody signed in. */
  status: "loading" | "signed-out" | "signed-in";
  user: Identity | null;
  /** The backend is logged in to as well, so that it may be asked for what is the user's. */
  isAuthenticated: boolean;
  /** From 'Log out' until the start page is reached. */
  isLeaving: boolean;
}

export interface Session extends SessionAccess {
  getState(): SessionState;
  /** Calls back after each change of the state. */
  subscribe(listener: () => void): () => void;
  /** Begins to follow the identity provider; gives the function that ends it. */
  start(): () => void;
  /** Logs in to the backend unless that is done; who comes while it is under way waits for it. */
  authenticate(): Promise<void>;
  /** The identity provider. Throws ProviderUnavailableError. */
  provider(): Promise<IdentityProvider>;
  /** Lets the state stand while a form is at work; gives the function that ends it. */
  hold(): () => void;
  /** Logs an identity in to the backend for the form that is at work. */
  enter(identity: Identity): Promise<Entry>;
  /** Logs out everywhere. Throws where the identity provider fails. */
  leave(): Promise<void>;
  /** The start page is reached. */
  arrive(): void;
}

interface Options {
  loadProvider: LoadProvider;
  /** Who was signed in no longer is: what is kept for them has to go. */
  onEnd: () => void;
}

/** Who is signed in, kept in step with the identity provider and the backend. */
export function createSession({ loadProvider, onEnd }: Options): Session {
  const listeners = new Set<() => void>();
  const backend = createBackendEntry(loadProvider);
  let state: SessionState = {
    status: "loading",
    user: null,
    isAuthenticated: false,
    isLeaving: false,
  };
  /** What the provider said last; undefined before it said anything. */
  let latest: Identity | null | undefined;
  let holds = 0;
  let stopListening: (() => void) | null = null;

  function set(changes: Partial<SessionState>) {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  }

  function subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  function hear(identity: Identity | null) {
    latest = identity;
    follow();
  }

  /** Brings the state in step with what the provider said last. */
  function follow() {
    if (holds > 0 || latest === undefined) return;
    const before = state.user;
    const isSameUser = before?.uid === latest?.uid;
    set({
      status: latest ? "signed-in" : "signed-out",
      user: latest,
      isAuthenticated: isSameUser && state.isAuthenticated,
    });
    rememberSignIn(latest !== null);
    if (isSameUser) return;
    if (before) forget();
    if (latest) authenticate().catch(logFailure);
  }

  function forget() {
    backend.forget();
    onEnd();
    // Another tab signed out; this one may have renewed the backend's session since.
    if (!state.user && !state.isLeaving) logOut().catch(logFailure);
  }

  async function openBackend(user: Identity, options?: { again: boolean }) {
    await afterOtherTabs(() => backend.open(user, options));
    if (!state.user) await logOut();
  }

  async function authenticate() {
    const { user, isAuthenticated } = state;
    if (!user || isAuthenticated) return;
    await openBackend(user);
    await wait(BACKEND_LOGIN_SETTLE_MS);
    if (state.user?.uid === user.uid) set({ isAuthenticated: true });
  }

  async function provider() {
    const loaded = await loadProvider();
    stopListening ??= loaded.onChange(hear);
    return loaded;
  }

  return {
    getState: () => state,
    subscribe,
    authenticate,
    provider,

    start() {
      provider().catch(() => hear(null));
      return () => {
        stopListening?.();
        stopListening = null;
      };
    },

    hold() {
      holds += 1;
      return () => {
        holds -= 1;
        follow();
      };
    },

    enter: (identity) => backend.open(identity),

    async leave() {
      set({ isLeaving: true });
      try {
        await logOut().catch(logFailure);
        await (await provider()).signOut();
      } catch (error) {
        set({ isLeaving: false });
        throw error;
      }
    },

    arrive() {
      if (state.isLeaving && !state.user) set({ isLeaving: false });
    },

    async getToken() {
      if (state.status === "loading" && wasSignedIn()) await known();
      return state.user ? (await provider()).getToken() : null;
    },

    async renew() {
      const { user, isLeaving } = state;
      if (!user || isLeaving) return false;
      try {
        await openBackend(user, { again: true });
        return state.user !== null;
      } catch (error) {
        logFailure(error);
        return false;
      }
    },
  };

  function known(): Promise<void> {
    return new Promise((resolve) => {
      const stop = subscribe(() => {
        if (state.status === "loading") return;
        stop();
        resolve();
      });
    });
  }
}

function logFailure(error: unknown): void {
  console.warn(error);
}
