import { useEffect, useRef } from "react";
import type { Session } from "./session.ts";
import { useSessionHandle } from "./session-context.tsx";

export interface SessionLock {
  /** The session, which from now on stands still until the form is done or left. */
  acquire(): Promise<Session>;
  /** The form is done: the session moves on. */
  release(): void;
}

/** Keeps guards and the silent login away from what a form is doing. */
export function useSessionLock(): SessionLock {
  const { load } = useSessionHandle();
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
