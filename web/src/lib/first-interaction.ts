/** What starts with a pointer, and input by hand, paste, drag and drop or autofill. */
const EVENTS = ["pointerdown", "keydown", "input", "paste", "drop"];

/**
 * Calls `start` once when the user first uses the page, to load what an interaction needs and the first paint does not.
 * @returns a function that cancels it
 */
export function onFirstInteraction(start: () => void): () => void {
  const stop = new AbortController();
  const startOnce = () => {
    stop.abort();
    start();
  };
  for (const type of EVENTS) {
    addEventListener(type, startOnce, { capture: true, signal: stop.signal });
  }
  return () => stop.abort();
}

/** Later than the first paint, also on a slow phone. */
const LATEST_MS = 3_000;

/**
 * Calls `start` once when the user first uses the page, at the latest after some seconds: for what an interaction needs
 * even if the page has gone offline.
 * @returns a function that cancels it
 */
export function onFirstInteractionOrLater(start: () => void): () => void {
  const stop = onFirstInteraction(() => {
    clearTimeout(timer);
    start();
  });
  const timer = setTimeout(() => {
    stop();
    start();
  }, LATEST_MS);
  return () => {
    clearTimeout(timer);
    stop();
  };
}
