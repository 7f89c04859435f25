import { useEffect, useRef } from "react";
import type { SessionController } from "./session.ts";
import { useLazySession } from "./session-context.tsx";

export interface SessionLock {
  /** Locks and returns the session. It unlocks on release or unmount. */
  acquire(): Promise<SessionController>;
  /** Unlocks the session after the form has finished. */
  release(): void;
}

/** Prevents route guards and the automatic login from interfering with a form in progress. */
export function useSessionLock(): SessionLock {
  const { load } = useLazySession();
  const isUnmounted = useRef(false);
  const release = useRef<(() => void) | null>(null);

  const lockedSession = useRef<SessionLock>({
    async acquire() {
      const session = await load();
      if (!isUnmounted.current) release.current ??= session.lock();
      return session;
    },
    release() {
      release.current?.();
      release.current = null;
    },
  }).current;

  useEffect(() => {
    isUnmounted.current = false;
    return () => {
      isUnmounted.current = true;
      lockedSession.release();
    };
  }, [lockedSession]);

  return lockedSession;
}
