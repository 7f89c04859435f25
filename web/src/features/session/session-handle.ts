import type { SessionAccess } from "../../lib/session-access.ts";
import { ProviderUnavailableError } from "./failures.ts";
import type { Session, SessionOptions } from "./session.ts";
import { createSessionStore, type SessionStore } from "./session-store.ts";
import { wasSignedIn } from "./sign-in-memory.ts";

export interface SessionHandle extends SessionAccess {
  store: SessionStore;
  load(): Promise<Session>;
  /** Subscribes to the identity provider. Returns the function that unsubscribes. */
  start(): () => void;
}

/** The session's state and a loader for the rest of the session, which is not in the initial bundle. */
export function createSessionHandle(options: Omit<SessionOptions, "store">): SessionHandle {
  const store = createSessionStore();
  let loading: Promise<Session> | null = null;

  async function loadSession() {
    // Loads both chunks in parallel. Callers that need the provider handle its failure.
    options.loadProvider().catch(() => {});
    try {
      const { createSession } = await import("./session.ts");
      return createSession({ store, ...options });
    } catch (cause) {
      loading = null;
      throw new ProviderUnavailableError({ cause });
    }
  }

  function load() {
    loading ??= loadSession();
    return loading;
  }

  return {
    store,
    load,
    start() {
      let stop: (() => void) | null = null;
      let isStopped = false;
      load().then(
        (session) => {
          if (!isStopped) stop = session.start();
        },
        () => store.set({ status: "signed-out" }),
      );
      return () => {
        isStopped = true;
        stop?.();
      };
    },
    async getToken() {
      if (store.get().user === null && !wasSignedIn()) return null;
      return (await load()).getToken();
    },
    async renew() {
      return store.get().user !== null && (await load()).renew();
    },
  };
}
