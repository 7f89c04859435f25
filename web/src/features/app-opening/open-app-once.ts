let hasTried = false;

/**
 * Leads to the app as soon as somebody sees the page, which a prerendering browser hides; once in the
 * life of a document, and not after a reload or on the way back to one.
 * @returns gives up what has not happened yet
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
