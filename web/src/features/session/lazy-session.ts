import { PROVIDER_REPORT_WAIT_MS } from "@tapthru/proto/rules/limits";
import type { ApiAuth } from "../../lib/api-auth.ts";
import { onFirstInteraction } from "../../lib/first-interaction.ts";
import { loadSchemas } from "../../lib/http/load-schemas.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { ProviderUnavailableError } from "./failures.ts";
import { keepTrying } from "./keep-trying.ts";
import type { SessionController, SessionOptions } from "./session.ts";
import { createSessionStore, type SessionStore, stopLoading, whenLoaded } from "./session-store.ts";
import { pendingLogout, pendingSignOut, wasSignedIn } from "./sign-in-memory.ts";

export interface LazySession extends ApiAuth {
  store: SessionStore;
  /** Loads the session, once. A failed load is retried by the next call. */
  load(): Promise<SessionController>;
  /**
   * Loads the session for a page that needs to know whether a user is signed in. After 10 seconds the page stops
   * waiting for it. A failed load is repeated until it succeeds.
   */
  findStatus(): void;
  /**
   * Subscribes to the identity provider: at once if a user was signed in at the last visit, otherwise after the first
   * interaction or once another tab has signed in, because the provider is a fifth of all scripts. Returns the function
   * that unsubscribes.
   */
  start(): () => void;
}

/** The session's state and a loader for the rest of the session, which is not in the first script. */
export function createLazySession(options: Omit<SessionOptions, "store">): LazySession {
  const store = createSessionStore();
  let isStarted = false;
  let isFinding = false;
  let stop: (() => void) | null = null;
  let loaded: SessionController | null = null;

  const loadSession = loadOnce(async () => {
    const { createSessionController } = await import("./session.ts");
    return createSessionController({ store, ...options });
  });

  /** Also starts the session, because the load in `start` may have failed. */
  async function load() {
    // Loads the chunks that a login needs in parallel. Callers that need them handle their failure.
    options.loadProvider().catch(() => {});
    loadSchemas().catch(() => {});
    const session = await loadSession().catch((cause) => {
      throw new ProviderUnavailableError({ cause });
    });
    loaded = session;
    if (isStarted) stop ??= session.start();
    return session;
  }

  function findStatus() {
    if (isFinding) return;
    isFinding = true;
    setTimeout(() => stopLoading(store), PROVIDER_REPORT_WAIT_MS);
    const canRetry = () => {
      stopLoading(store);
      return isStarted;
    };
    keepTrying(load, canRetry).then(() => {
      isFinding = false;
    });
  }

  return {
    store,
    load,
    findStatus,
    start() {
      isStarted = true;
      const cancel = onceExpected(findStatus);
      return () => {
        cancel();
        isStarted = false;
        stop?.();
        stop = null;
      };
    },
    async getToken() {
      if (store.get().identity === null && !wasSignedIn()) return null;
      if (store.get().status === "loading") findStatus();
      await whenLoaded(store);
      return store.get().identity && (await load()).getToken();
    },
    async keepLink(link) {
      try {
        // Its schema is not in the first script.
        const { storeLink } = await import("./stored-links.ts");
        storeLink(link);
        await loaded?.claimPendingLinks();
      } catch (error) {
        console.warn("Failed to keep the link:", error);
      }
    },
    async renew() {
      return store.get().identity !== null && (await load()).renew();
    },
  };
}

/**
 * Calls `load` now if a user may be signed in or a logout is to be completed, otherwise after the first interaction and
 * when another tab signs in.
 * @returns a function that cancels it
 */
function onceExpected(load: () => void): () => void {
  const loadIfExpected = () => {
    const isExpected = wasSignedIn() || pendingLogout.get() || pendingSignOut.get();
    if (isExpected) load();
    return isExpected;
  };
  if (loadIfExpected()) return () => {};
  const cancelInteraction = onFirstInteraction(load);
  addEventListener("storage", loadIfExpected);
  return () => {
    cancelInteraction();
    removeEventListener("storage", loadIfExpected);
  };
}
