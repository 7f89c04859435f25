import { useLayoutEffect, useRef } from "react";

const GAP_PX = 8;

/**
 * Keeps --actions-width equal to the space that the actions of the top bar take up at its right end,
 * which depends on the fonts. Toasts are shown beside them.
 */
export function useActionsWidth() {
  const actions = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = actions;
    if (!current) return;
    const observer = new ResizeObserver(() => {
      const { left, width } = current.getBoundingClientRect();
      // On small screens the actions are in the menu instead.
      if (width === 0) return;
      const space = innerWidth - left + GAP_PX;
      document.documentElement.style.setProperty("--actions-width", `${space}px`);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return actions;
}
