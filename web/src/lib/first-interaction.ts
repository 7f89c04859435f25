/** Events that start with a pointer, and input by hand, paste, drag and drop or autofill. */
const EVENTS = ["pointerdown", "keydown", "input", "paste", "drop"];

/** Later than the first paint, also on a slow phone. */
const LATEST_MS = 3_000;

/**
 * Calls `start` once when the user first uses the page, at the latest after some seconds: for what an interaction needs, also if
 * the page has gone offline, and the first paint does not.
 * @returns a function that cancels it
 */
export function onFirstInteractionOrLater(start: () => void): () => void {
  const stop = new AbortController();
  const cancel = () => {
    clearTimeout(timer);
    stop.abort();
  };
  const startOnce = () => {
    cancel();
    start();
  };
  const timer = setTimeout(startOnce, LATEST_MS);
  for (const type of EVENTS) addEventListener(type, startOnce, { capture: true, signal: stop.signal });
  return cancel;
}
