import { type RefObject, useEffect } from "react";
import { useIsSignedIn } from "../features/session/session-context.tsx";

/** Focuses the content of the page if a sign-out, also in another tab, has removed the control that had the focus. */
export function useFocusAfterSignOut(content: RefObject<HTMLElement | null>): void {
  const isSignedIn = useIsSignedIn();
  useEffect(() => {
    if (!isSignedIn) return;
    return () => {
      if (document.activeElement === document.body) content.current?.focus({ preventScroll: true });
    };
  }, [isSignedIn, content]);
}
