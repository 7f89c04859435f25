import { type RefObject, useEffect } from "react";
import { useIsSignedIn } from "../features/session/session-context.tsx";

/**
 * Moves the focus if a sign-out, also in another tab, has removed the control that had it: to the menu of small screens
 * if it is open, otherwise to the content of the page.
 */
export function useFocusAfterSignOut(content: RefObject<HTMLElement | null>): void {
  const isSignedIn = useIsSignedIn();
  useEffect(() => {
    if (!isSignedIn) return;
    return () => {
      if (document.activeElement !== document.body) return;
      const menu = document.querySelector<HTMLElement>("dialog[open] button");
      (menu ?? content.current)?.focus({ preventScroll: true });
    };
  }, [isSignedIn, content]);
}
