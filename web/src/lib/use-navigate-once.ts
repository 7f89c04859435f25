import { useRef } from "react";
import { useLocation } from "react-router-dom";

/** Ignores further navigations from the same page, because a second click may come before the next page renders. */
export function useNavigateOnce(): (navigate: () => void) => void {
  const { key } = useLocation();
  const lastKey = useRef<string>(null);
  return (navigate) => {
    if (lastKey.current === key) return;
    lastKey.current = key;
    navigate();
  };
}
