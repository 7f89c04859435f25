import { ACCOUNT_HEADER, OWN_ACCOUNT } from "@tapthru/proto/account-header";
import type { Login, User } from "@tapthru/proto/accounts";
import { namedAccount } from "../../lib/account-address.ts";
import type { ApiAuth } from "../../lib/api-auth.ts";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { finishesWithin, retryOnce, wait } from "../../lib/timeouts.ts";
import { getLogin, logOut } from "./api.ts";
import type { ClaimOutcome } from "./claim-pending-links.ts";
import { isSignUpRefused } from "./failures.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { invitation } from "./invitation.ts";
import type { LoadProvider } from "./load-provider.ts";
import {
  ENDED,
  lastSignedIn,
  pendingLogout,
  RETURNING,
  rememberSignIn,
  SIGN_IN_KEY,
  wasSignedIn,
} from "./sign-in-memory.ts";

/** How long a logout waits for the identity provider. Afterwards it is completed in the background. */
const PROVIDER_SIGN_OUT_WAIT_MS = 5_000;
/** How long pages wait for the identity provider to load and to report whether a user is signed in. */
const PROVIDER_REPORT_WAIT_MS = 10_000;
const BACKEND_LOGIN_SETTLE_MS = 200;

export interface SessionState {
  /**
   * The login as the api reports it. Unknown: it has not responded, and a user was signed in at the last visit. Failed: it could not
   * open the session of that user.
   */
  status: "loading" | "unknown" | "failed" | "signed-out" | "signed-in";
  identity: Login["identity"] | null;
  user: User | null;
  /** True if the user's data can be fetched: shortly after the session is open. */
  isAuthenticated: boolean;
  /** The login has ended. An open page stays its user's, and requests wait, until they log in again or choose to continue as a guest. */
  hasEnded: boolean;
  /** The user logged out in another tab. A browser that forgot its user, such as after clearing its data, does not say that. */
  isLoggedOutElsewhere: boolean;
  /** The dialog of the next login is open: for a new link or a change that waits for it, or by 'Log in'. */
  isLoginAsked: boolean;
  /** True from 'Log out' until the start page is shown. */
  isLoggingOut: boolean;
}

interface SessionOptions {
  loadProvider: LoadProvider;
  /** The user signed out or changed: clear their cached data. */
  onEnd: () => void;
  /** Links that were created while signed out are the user's now. */
  onClaimed: () => void;
  /** The installation gives the identity that signed in no account. */
  onRefused: (error: unknown) => void;
}

export type Session = ReturnType<typeof createSession>;

const SIGNED_OUT = {
  status: "signed-out",
  identity: null,
  user: null,
  isAuthenticated: false,
  hasEnded: false,
  isLoggedOutElsewhere: false,
} as const;

/** Who is signed in: the api's session decides, which the identity provider opens again if it was lost. */
export function createSession({ loadProvider, onEnd, onClaimed, onRefused }: SessionOptions) {
  const listeners = new Set<() => void>();
  const initial: SessionState = { ...SIGNED_OUT, status: "loading", isLoginAsked: false, isLoggingOut: false };
  let state = initial;
  let finding: Promise<void> | null = null;
  let renewing: Promise<boolean> | null = null;
  /** How often it was learned who the user is. */
  let userChanges = 0;

  function set(changes: Partial<SessionState>) {
    if ("user" in changes) userChanges += 1;
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  }

  function subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  function end() {
    const uid = state.identity?.uid;
    const hadUser = uid !== undefined;
    const last = lastSignedIn();
    // Not another user's, who has logged in in another tab.
    if (!hadUser || last === uid || last === ENDED) rememberSignIn(null);
    set({ ...SIGNED_OUT, isLoginAsked: false });
    if (hadUser) onEnd();
  }

  /** The login has ended, but not by 'Log out' on this page: it does not become a guest's by itself. */
  function endElsewhere() {
    const last = lastSignedIn();
    const uid = state.identity?.uid ?? last;
    if (state.isLoggingOut || uid === null || uid === RETURNING) return end();
    set({ ...(state.identity === null && SIGNED_OUT), hasEnded: true });
    if (last === uid) rememberSignIn(ENDED);
  }

  const untilLoggedInOrLeft = () =>
    new Promise<void>((resolve) => {
      const unsubscribe = subscribe(() => {
        if (state.hasEnded) return;
        unsubscribe();
        resolve();
      });
    });

  /** Shows who has logged in, in all tabs. */
  async function adopt({ user, identity }: Login): Promise<void> {
    const { uid } = identity;
    if (state.identity !== null && state.identity.uid !== uid) end();
    pendingLogout.set(false);
    rememberSignIn(uid);
    set({ status: "signed-in", identity, user, hasEnded: false, isLoggedOutElsewhere: false, isLoginAsked: false });
    if (state.isAuthenticated) return;
    await wait(BACKEND_LOGIN_SETTLE_MS);
    if (state.identity?.uid === uid) set({ isAuthenticated: true });
  }

  /** Claims the links that were created while signed out. A failure is only logged. */
  async function claim({ user }: Login): Promise<ClaimOutcome> {
    try {
      // Its schema is not in the first script.
      const { claimPendingLinks } = await import("./claim-pending-links.ts");
      const outcome = await claimPendingLinks(user.id);
      if (outcome !== "nothing to claim") onClaimed();
      return outcome;
    } catch (error) {
      console.warn(error);
      return "failed";
    }
  }

  const isUserExpected = () => wasSignedIn() || state.identity !== null;

  /** Opens the session again. Null: the login has ended too. */
  async function restore(): Promise<Login | null> {
    if (!isUserExpected()) return null;
    const login = await retryOnce(async () => (await loadProvider()).restore()).catch((error) => {
      if (!isSignUpRefused(error)) throw error;
      console.warn(error);
      onRefused(error);
      invitation.set(null);
      return null;
    });
    if (login === null || isUserExpected()) return login;
    // Another tab has logged out meanwhile.
    await endBackendSession();
    return null;
  }

  async function endBackendSession(): Promise<string | null> {
    pendingLogout.set(true);
    const redirectUrl = await logOut();
    pendingLogout.set(false);
    return redirectUrl;
  }

  async function ask(): Promise<void> {
    const timer = setTimeout(() => stopLoading("unknown"), PROVIDER_REPORT_WAIT_MS);
    const before = userChanges;
    try {
      if (pendingLogout.get()) await endBackendSession();
      const login = (await retryOnce(getLogin)) ?? (await restore());
      // A login, a logout or a new name is newer than what the api said.
      if (userChanges !== before) return;
      if (login === null) return endElsewhere();
      void adopt(login);
      void claim(login);
    } catch (error) {
      console.warn(error);
      stopLoading(httpErrorOf(error) ? "failed" : "unknown");
      addEventListener("online", find, { once: true });
    } finally {
      clearTimeout(timer);
    }
  }

  function stopLoading(status: "unknown" | "failed") {
    if (state.identity === null) set({ status: wasSignedIn() ? status : "signed-out" });
  }

  /** Asks the api who is signed in. After a failure, again when the browser is online. */
  function find(): Promise<void> {
    finding ??= ask().finally(() => {
      finding = null;
    });
    return finding;
  }

  /** A login or logout in another tab. */
  async function followOtherTab({ key }: Partial<StorageEvent> = {}) {
    // It may have asked before the change.
    await finding;
    const uid = lastSignedIn();
    if (uid === null) {
      set({ isLoggedOutElsewhere: key === SIGN_IN_KEY });
      endElsewhere();
    } else if (uid !== state.identity?.uid || state.hasEnded) find();
  }

  async function provider(): Promise<IdentityProvider> {
    try {
      return await loadProvider();
    } catch (error) {
      console.warn(error);
      throw error;
    }
  }

  const auth: ApiAuth = {
    async headers() {
      if (state.identity === null && !wasSignedIn()) return null;
      if (state.status === "loading") await finishesWithin(PROVIDER_REPORT_WAIT_MS, find());
      const { identity } = state;
      if (state.hasEnded) {
        set({ isLoginAsked: true });
        await untilLoggedInOrLeft();
      }
      if (identity !== null && state.identity?.uid !== identity.uid) throw new Error("Their user has left the page.");
      if (state.status === "signed-out") return null;
      // Firebase's identifies the user if the session is lost. Without it the session alone does.
      const token = await loadProvider()
        .then((loaded) => loaded.getToken?.())
        .catch(() => null);
      const account = { [ACCOUNT_HEADER]: String(namedAccount() ?? state.user?.id ?? OWN_ACCOUNT) };
      return token ? { ...account, Authorization: `Bearer ${token}` } : account;
    },
    renew(isChange) {
      if (state.identity === null || state.isLoggingOut) return Promise.resolve(false);
      if (isChange) set({ isLoginAsked: true });
      renewing ??= renew().finally(() => {
        renewing = null;
      });
      return renewing;
    },
    async keepLink(link) {
      try {
        const { storeLink } = await import("./stored-links.ts");
        storeLink(link);
        if (state.user && state.identity) await claim({ user: state.user, identity: state.identity });
      } catch (error) {
        console.warn("Failed to keep the link:", error);
      }
    },
  };

  /** @returns whether the same user is logged in again */
  async function renew(): Promise<boolean> {
    const uid = state.identity?.uid;
    try {
      const login = await restore();
      if (login !== null) await adopt(login);
      else {
        endElsewhere();
        if (state.hasEnded) await untilLoggedInOrLeft();
      }
      return state.identity !== null && state.identity.uid === uid;
    } catch (error) {
      console.warn(error);
      return false;
    }
  }

  return {
    ...auth,
    /** The state when the page was opened, in which the build renders pages. */
    initial,
    get: () => state,
    set,
    /** Calls the listener after each change. Returns the function that unsubscribes. */
    subscribe,
    /** The identity provider. Logs and throws ProviderUnavailableError. */
    provider,
    adopt,
    claim,
    find,
    /** Makes the page a guest's after its login has ended: what it holds is lost. */
    leave: end,
    /** Finds out who is signed in, unless guests alone need no answer. Returns the function that stops it. */
    start() {
      if (wasSignedIn() || pendingLogout.get()) find();
      // Events of other tabs do not reach a page that the browser keeps for its 'Back' button.
      const followAfterReturn = ({ persisted }: PageTransitionEvent) => void (persisted && followOtherTab());
      addEventListener("storage", followOtherTab);
      addEventListener("pageshow", followAfterReturn);
      return () => {
        removeEventListener("storage", followOtherTab);
        removeEventListener("pageshow", followAfterReturn);
        removeEventListener("online", find);
      };
    },
    /**
     * Logs out of the api and the identity provider. Throws if the identity provider fails. One that does not
     * respond in time counts as signed out: it is not asked for its user again.
     */
    async logOut(): Promise<void> {
      set({ isLoggingOut: true });
      try {
        const redirectUrl = await endBackendSession().catch((error) => void console.warn(error));
        const { signOut } = await provider();
        await finishesWithin(PROVIDER_SIGN_OUT_WAIT_MS, signOut(redirectUrl));
      } catch (error) {
        pendingLogout.set(false);
        set({ isLoggingOut: false });
        throw error;
      }
      end();
    },
  };
}
