import { REQUEST_TIMEOUT_MS } from "./http/request-timeout.ts";

let pendingCheck: Promise<unknown> | null = null;

/** Rejects if the server does not respond. Imports that start together share a check. */
function checkServer(): Promise<unknown> {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  pendingCheck ??= fetch("/version.txt", { method: "HEAD", cache: "no-store", signal }).finally(
    () => {
      pendingCheck = null;
    },
  );
  return pendingCheck;
}

/**
 * Makes a dynamic import that can be retried. It checks first that the server responds, because Firefox before 155
 * and Safari cache a failed import until the page is reloaded (github.com/whatwg/html/issues/6768).
 * @param load imports the module, and may derive the result from it
 * @returns a function that loads the result once. After a failure, the next call loads it again. While offline it
 *   rejects with a TypeError, and without a response after 15 seconds with a TimeoutError.
 */
export function importOnline<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let loading: Promise<Result> | null = null;

  async function loadOnline() {
    try {
      await checkServer();
      return await load();
    } catch (error) {
      loading = null;
      throw error;
    }
  }

  return () => {
    loading ??= loadOnline();
    return loading;
  };
}
