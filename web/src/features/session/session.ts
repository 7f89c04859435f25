import { BACKEND_LOGIN_SETTLE_MS } from "@tapthru/proto/rules/limits";
import type { SessionAccess } from "../../lib/session-access.ts";
import { wait } from "../../lib/wait.ts";
import { type BackendLogin, createBackendLogin } from "./backend-entry.ts";
import { createLogoutRetrier, endBackendSession, pendingLogout } from "./backend-exit.ts";
import { isProviderUnreachable } from "./failures.ts";
import type { Identity, IdentityProvider } from "./identity-provider.ts";
import type { LoadProvider } from "./load-provider.ts";
import type { SessionStore } from "./session-store.ts";
import { rememberSignIn } from "./sign-in-memory.ts";
import { withSharedTabLock } from "./tab-lock.ts";

export interface Session extends SessionAccess {
  /** Begins to follow the identity provider; gives the function that ends it. */
  start(): () => void;
  /** The identity provider. Logs and throws ProviderUnavailableError. */
  provider(): Promise<IdentityProvider>;
  /** Logs in to the backend unless that is done; who comes while it is under way waits for it. */
  authenticate(): Promise<void>;
  /** Lets the state stand while a form is at work; gives the function that ends it. */
  hold(): () => void;
  /** Logs an identity in to the backend for the form that is at work. */
  enter(identity: Identity): Promise<BackendLogin>;
  /** Logs out everywhere. Throws where the identity provider fails. */
  leave(): Promise<void>;
}

export interface SessionOptions {
  store: SessionStore;
  loadProvider: LoadProvider;
  /** Who was signed in no longer is: what is kept for them has to go. */
  onEnd: () => void;
}

/** Keeps the store in step with the identity provider and the backend. */
export function createSession({ store, loadProvider, onEnd }: SessionOptions): Session {
  const backend = createBackendLogin(loadProvider);
  const settleLogout = createLogoutRetrier(() => store.get().status === "signed-out");
  /** What the provider said last; undefined before it said anything. */
  let latest: Identity | null | undefined;
  let holds = 0;
  let isStarted = false;
  let stopListening: (() => void) | null = null;

  function hear(identity: Identity | null) {
    latest = identity;
    // Also where a form is left half done: the next visit has to wait for who it is.
    rememberSignIn(identity !== null);
    follow();
  }

  /** Brings the state in step with what the provider said last. */
  function follow() {
    if (!isStarted || holds > 0 || latest === undefined) return;
    const { user: before, isAuthenticated, account } = store.get();
    const isSameUser = before?.uid === latest?.uid;
    store.set({
      status: latest ? "signed-in" : "signed-out",
      user: latest,
      isAuthenticated: isSameUser && isAuthenticated,
      account: isSameUser ? account : null,
    });
    if (before && !isSameUser) forget();
    if (!latest) settleLogout();
    else if (!isSameUser) authenticate().catch(logFailure);
  }

  function forget() {
    backend.forget();
    onEnd();
    const { user, isLeaving } = store.get();
    // Another tab signed out; this one may have renewed the backend's session since.
    if (!user && !isLeaving) pendingLogout.set(true);
  }

  async function openBackend(user: Identity, options?: { again: boolean }) {
    const entry = await withSharedTabLock(() => backend.open(user, options));
    if (!store.get().user) await endBackendSession();
    return entry.user;
  }

  async function authenticate() {
    const { user, isAuthenticated } = store.get();
    if (!user || isAuthenticated) return;
    const account = await openBackend(user);
    await wait(BACKEND_LOGIN_SETTLE_MS);
    if (store.get().user?.uid === user.uid) store.set({ isAuthenticated: true, account });
  }

  async function connect() {
    const loaded = await loadProvider();
    stopListening ??= loaded.onChange(hear);
    return loaded;
  }

  async function provider() {
    try {
      return await connect();
    } catch (error) {
      console.error(error);
      throw error;
    }
  }

  function known(): Promise<void> {
    return new Promise((resolve) => {
      const stop = store.subscribe(resolveOnceKnown);
      resolveOnceKnown();
      function resolveOnceKnown() {
        if (store.get().status === "loading") return;
        stop();
        resolve();
      }
    });
  }

  return {
    provider,
    authenticate,

    start() {
      isStarted = true;
      connect().catch(() => hear(null));
      return () => {
        isStarted = false;
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
      store.set({ isLeaving: true });
      try {
        await endBackendSession().catch(logFailure);
        await (await provider()).signOut();
      } catch (error) {
        store.set({ isLeaving: false });
        throw error;
      }
    },

    async getToken() {
      await known();
      if (!store.get().user) return null;
      try {
        return await (await connect()).getToken();
      } catch (error) {
        // The backend's session says whose a call is.
        if (store.get().isAuthenticated && isProviderUnreachable(error)) return null;
        throw error;
      }
    },

    async renew() {
      const { user, isLeaving } = store.get();
      if (!user || isLeaving) return false;
      try {
        await openBackend(user, { again: true });
        return store.get().user !== null;
      } catch (error) {
        logFailure(error);
        return false;
      }
    },
  };
}

function logFailure(error: unknown): void {
  console.warn(error);
}
