import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

/** Pages begin at their top; going back or forward finds a page where it was left. */
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

  // Not at each key: another search on the same page moves nothing.
  useLayoutEffect(() => {
    const position = navigationType === "POP" ? positions.current.get(key) : 0;
    if (position !== undefined) scrollTo(0, position);
  }, [pathname]);

  // Before the browser tells of the scrolling that the page's change brings.
  useLayoutEffect(() => {
    const savePosition = () => positions.current.set(key, scrollY);
    savePosition();
    addEventListener("scroll", savePosition, { passive: true });
    return () => removeEventListener("scroll", savePosition);
  }, [key]);
}
