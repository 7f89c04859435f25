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
