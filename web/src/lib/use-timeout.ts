import { useEffect, useRef } from "react";

/** One timer, which is cleared when the component unmounts. */
export function useTimeout() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const timeout = useRef({
    /** Replaces a running timer. */
    start(callback: () => void, delayMs: number) {
      clearTimeout(timer.current);
      timer.current = setTimeout(callback, delayMs);
    },
    stop: () => clearTimeout(timer.current),
  });
  useEffect(() => timeout.current.stop, []);
  return timeout.current;
}
