import { useEffect, useRef } from "react";

export interface Timeout {
  /** Calls `callback` once after `delayMs`. Replaces a running timer. */
  start: (callback: () => void, delayMs: number) => void;
  stop: () => void;
}

/** One timer, which is cleared when the component unmounts. */
export function useTimeout(): Timeout {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const timeout = useRef<Timeout>({
    start(callback, delayMs) {
      clearTimeout(timer.current);
      timer.current = setTimeout(callback, delayMs);
    },
    stop: () => clearTimeout(timer.current),
  });
  useEffect(() => timeout.current.stop, []);
  return timeout.current;
}
