import { useEffect, useRef } from "react";

export interface Timeout {
  /** Calls back once after `delayMs`; a running wait is given up for it. */
  start: (callback: () => void, delayMs: number) => void;
  stop: () => void;
}

/** One timer that ends with its component. */
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
