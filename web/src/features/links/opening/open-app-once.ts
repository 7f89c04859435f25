import { useEffect } from "react";
import type { Opening } from "./resolve-redirect-page.ts";

let hasTried = false;

/**
 * Opens the app as soon as the page is visible, which it is not while prerendering. It does so once per document, and
 * not after a reload or a back/forward navigation.
 * @returns a function that cancels a pending attempt
 */
export function openAppOnce(appLink: string): () => void {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (navigation && navigation.type !== "navigate") return () => {};

  const abortController = new AbortController();
  const open = () => {
    if (hasTried || document.visibilityState !== "visible") return;
    hasTried = true;
    location.href = appLink;
  };
  document.addEventListener("visibilitychange", open, { signal: abortController.signal });
  open();
  return () => abortController.abort();
}

/** Opens the app or the web page if no tap is required. */
export function useAutoOpen(opening: Opening | undefined): void {
  useEffect(() => {
    if (opening?.kind === "app" && opening.isAutomatic) return openAppOnce(opening.page.appLink);
    if (opening?.kind === "web") location.replace(opening.webUrl);
    return undefined;
  }, [opening]);
}
