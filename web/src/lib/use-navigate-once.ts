import { useRef } from "react";
import { useLocation } from "react-router-dom";

/** Leaves a page once: a second click may come before the next page is there. */
export function useNavigateOnce(): (leave: () => void) => void {
  const { key } = useLocation();
  const leftKey = useRef<string>(null);
  return (leave) => {
    if (leftKey.current === key) return;
    leftKey.current = key;
    leave();
  };
}
