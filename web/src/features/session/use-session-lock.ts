import { useEffect, useRef } from "react";
import type { Session } from "./session.ts";
import { useSessionHandle } from "./session-context.tsx";

export interface LockedSession {
  /** The session, which from now on stands still until the form is done or left. */
  take(): Promise<Session>;
  /** The form is done: the session moves on. */
  release(): void;
}

/** Keeps guards and the silent login away from what a form is doing. */
export function useSessionLock(): LockedSession {
  const { load } = useSessionHandle();
  const isLeft = useRef(false);
  const release = useRef<(() => void) | null>(null);

  const held = useRef<LockedSession>({
    async take() {
      const session = await load();
      if (!isLeft.current) release.current ??= session.hold();
      return session;
    },
    release() {
      release.current?.();
      release.current = null;
    },
  }).current;

  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      held.release();
    };
  }, [held]);

  return held;
}
