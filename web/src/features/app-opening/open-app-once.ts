let isTried = false;

/**
 * Leads to the app as soon as somebody sees the page, which a prerendering browser hides; once in the
 * life of a document, and not after a reload or on the way back to one.
 * @returns gives up what has not happened yet
 */
export function openAppOnce(appLink: string): () => void {
  const [arrival] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (arrival && arrival.type !== "navigate") return () => {};

  const waiting = new AbortController();
  const open = () => {
    if (isTried || document.visibilityState !== "visible") return;
    isTried = true;
    location.href = appLink;
  };
  document.addEventListener("visibilitychange", open, { signal: waiting.signal });
  open();
  return () => waiting.abort();
}
