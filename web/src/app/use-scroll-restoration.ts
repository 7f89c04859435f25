import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

/** Scrolls new pages to the top, and restores the scroll position after going back or forward. */
export function useScrollRestoration(): void {
  const { key, pathname } = useLocation();
  const navigationType = useNavigationType();
  const positions = useRef(new Map<string, number>());

  useEffect(() => {
    history.scrollRestoration = "manual";
    const restoreBrowserDefault = () => {
      history.scrollRestoration = "auto";
    };
    addEventListener("pagehide", restoreBrowserDefault);
    return () => removeEventListener("pagehide", restoreBrowserDefault);
  }, []);

  // Depends on the pathname, so that a change of only the query string does not scroll.
  useLayoutEffect(() => {
    const position = navigationType === "POP" ? positions.current.get(key) : 0;
    if (position !== undefined) scrollTo(0, position);
  }, [pathname]);

  // A layout effect: it must run before the scroll events that the page change causes.
  useLayoutEffect(() => {
    const savePosition = () => positions.current.set(key, scrollY);
    savePosition();
    addEventListener("scroll", savePosition, { passive: true });
    return () => removeEventListener("scroll", savePosition);
  }, [key]);
}
