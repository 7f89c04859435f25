import { BACKEND_LOGIN_SETTLE_MS, PROVIDER_SIGN_OUT_WAIT_MS } from "@tapthru/proto/rules/limits";
import type { ApiAuth } from "../../lib/api-auth.ts";
import { isRetryable } from "../../lib/http/http-client.ts";
import { finishesWithin, wait } from "../../lib/timeouts.ts";
import { dropUnsentChanges, sendUnsentChanges } from "../../lib/unsent-changes.ts";
import { createLogoutRetrier, endBackendSession } from "./end-backend-session.ts";
import { isProviderUnreachable, isSignUpRefused } from "./failures.ts";
import type { Identity, IdentityProvider } from "./identity-provider.ts";
import { invitation } from "./invitation.ts";
import { keepTrying } from "./keep-trying.ts";
import type { LoadProvider } from "./load-provider.ts";
import { type BackendLogin, createBackendLogin } from "./open-backend-session.ts";
import { loginErrorMessage } from "./session-errors.ts";
import { type SessionStore, stopLoading } from "./session-store.ts";
import { pendingLogout, pendingSignOut, rememberSignIn } from "./sign-in-memory.ts";
import { withSharedTabLock } from "./tab-lock.ts";

export interface SessionController extends Pick<ApiAuth, "getToken" | "renew"> {
  /** Subscribes to the identity provider. Returns the function that unsubscribes. */
  start(): () => void;
  /** The identity provider. Logs and throws ProviderUnavailableError. */
  provider(): Promise<IdentityProvider>;
  /** Logs in to the backend if necessary. Concurrent callers wait for the same login. */
  authenticate(): Promise<void>;
  /** Freezes the state while a form is in progress. Returns the function that unlocks it. */
  lock(): () => void;
  /** Logs an identity in to the backend, for a form in progress. */
  logInToBackend(identity: Identity): Promise<BackendLogin>;
  /** Claims the links that were stored since the login to the backend began, if there was one. */
  claimPendingLinks(): Promise<void>;
  /**
   * Sends unsent changes, then logs out of the backend and the identity provider. Throws if the identity provider fails. One that does not respond
   * is signed out as soon as it does.
   */
  logOut(): Promise<void>;
}

export interface SessionOptions {
  store: SessionStore;
  loadProvider: LoadProvider;
  /** The user signed out or changed: clear their cached data. */
  onEnd: () => void;
  /** The installation gives the identity that signed in no account: tell them why. */
  onRefused: (message: string) => void;
}

/** Synchronizes the store with the identity provider and the backend. */
export function createSessionController({ store, loadProvider, onEnd, onRefused }: SessionOptions): SessionController {
  const backend = createBackendLogin(loadProvider);
  const retryLogout = createLogoutRetrier(() => store.get().status === "signed-out");
  /** The provider's last report. Undefined before the first. */
  let latestIdentity: Identity | null | undefined;
  let lockCount = 0;
  let isStarted = false;
  /** A logout waits for the provider, whose user must not log in to the backend again. */
  let isSigningOut = false;
  let stopListening: (() => void) | null = null;

  function handleIdentity(identity: Identity | null) {
    latestIdentity = identity;
    // Even while locked: if the page is left during a form, the next visit has to wait for the provider.
    rememberSignIn(identity !== null);
    syncState();
  }

  /** Applies the provider's last report to the store. */
  function syncState() {
    if (!isStarted || lockCount > 0 || latestIdentity === undefined) return;
    if (latestIdentity && pendingSignOut.get()) {
      latestIdentity = null;
      rememberSignIn(false);
      signOut().catch(logFailure);
    }
    const { identity: previous, isAuthenticated, user } = store.get();
    const isSameUser = previous?.uid === latestIdentity?.uid;
    // Pages of the previous user send theirs when they disappear.
    if (previous && !isSameUser) dropUnsentChanges();
    store.set({
      status: latestIdentity ? "signed-in" : "signed-out",
      identity: latestIdentity,
      isAuthenticated: isSameUser && isAuthenticated,
      user: isSameUser ? user : null,
    });
    if (previous && !isSameUser) clearUser();
    if (!latestIdentity) retryLogout();
    else if (!isSameUser) {
      keepTrying(authenticate, (error) => {
        if (isSignUpRefused(error)) {
          onRefused(loginErrorMessage(error));
          invitation.set(null);
        }
        return isTemporary(error);
      });
    }
  }

  function clearUser() {
    backend.reset();
    onEnd();
    const { identity, isLoggingOut } = store.get();
    // Another tab signed out. This tab may have renewed the backend session since then.
    if (!identity && !isLoggingOut) pendingLogout.set(true);
  }

  async function openBackendSession(identity: Identity, options?: { renew: boolean }) {
    const login = await withSharedTabLock(() => backend.open(identity, options));
    if (!store.get().identity || isSigningOut) await endBackendSession();
    return login.user;
  }

  async function authenticate() {
    const { identity, isAuthenticated } = store.get();
    if (!identity || isAuthenticated || isSigningOut) return;
    const user = await openBackendSession(identity);
    await wait(BACKEND_LOGIN_SETTLE_MS);
    if (store.get().identity?.uid === identity.uid) store.set({ isAuthenticated: true, user });
  }

  async function loadAndListen() {
    const loaded = await loadProvider();
    stopListening ??= loaded.onChange((identity) => {
      if (!identity) pendingSignOut.set(false);
      handleIdentity(identity);
    });
    return loaded;
  }

  async function provider() {
    try {
      return await loadAndListen();
    } catch (error) {
      console.error(error);
      throw error;
    }
  }

  async function signOut() {
    await (await provider()).signOut();
    pendingSignOut.set(false);
  }

  /** Another tab has logged out and waits for the provider. */
  function followPendingSignOut() {
    if (pendingSignOut.get()) syncState();
  }

  return {
    provider,
    authenticate,

    start() {
      isStarted = true;
      keepTrying(loadAndListen, () => {
        stopLoading(store);
        retryLogout();
        return isStarted;
      });
      addEventListener("storage", followPendingSignOut);
      return () => {
        isStarted = false;
        removeEventListener("storage", followPendingSignOut);
        stopListening?.();
        stopListening = null;
      };
    },

    lock() {
      lockCount += 1;
      return () => {
        lockCount -= 1;
        syncState();
      };
    },

    logInToBackend(identity) {
      pendingSignOut.set(false);
      return backend.open(identity);
    },

    claimPendingLinks: backend.claim,

    async logOut() {
      store.set({ isLoggingOut: true });
      isSigningOut = true;
      try {
        await sendUnsentChanges();
        await endBackendSession().catch(logFailure);
        if (!(await finishesWithin(PROVIDER_SIGN_OUT_WAIT_MS, signOut()))) {
          pendingSignOut.set(true);
          handleIdentity(null);
        }
      } catch (error) {
        isSigningOut = false;
        store.set({ isLoggingOut: false });
        authenticate().catch(logFailure);
        throw error;
      }
      isSigningOut = false;
    },

    async getToken() {
      if (!store.get().identity) return null;
      try {
        return await (await loadAndListen()).getToken();
      } catch (error) {
        // The backend session identifies the user.
        if (store.get().isAuthenticated && isProviderUnreachable(error)) return null;
        throw error;
      }
    },

    async renew() {
      const { identity, isLoggingOut } = store.get();
      if (!identity || isLoggingOut) return false;
      try {
        await openBackendSession(identity, { renew: true });
        return store.get().identity !== null;
      } catch (error) {
        logFailure(error);
        return false;
      }
    },
  };
}

/** Logs a failure of the backend login. @returns whether it may succeed later */
function isTemporary(error: unknown): boolean {
  logFailure(error);
  return error instanceof Error && isRetryable(error);
}

function logFailure(error: unknown): void {
  console.warn(error);
}
