import { useEffect, useSyncExternalStore } from "react";

/** Whether this page was opened as the prerendered start page. Also true while the build renders pages. */
export const isHomePrerendered =
  !("document" in globalThis) || document.querySelector('[data-prerendered="/"]') !== null;

let isPending = isHomePrerendered;

/** Whether the script of the prerendered start page has not run yet. */
export const isStartPagePending = () => isPending;

/** For the start page: its script has run. */
export function useStartPageReady(): void {
  useEffect(() => {
    isPending = false;
  }, []);
}

const subscribe = () => () => {};

/** True while React takes over prerendered HTML, which must be rendered as the build has rendered it. */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => false,
    () => true,
  );
}
