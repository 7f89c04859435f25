import { useSyncExternalStore } from "react";

export const RECENT_LINKS_KEY = "recent_links";

/** The stored links of guests as text: their schema is not in the first script. Null if there are none. */
export function useRecentLinksText(): string | null {
  return useSyncExternalStore(subscribe, readRecentLinksText, () => null);
}

export function readRecentLinksText(): string | null {
  try {
    return localStorage.getItem(RECENT_LINKS_KEY);
  } catch {
    // Storage may be forbidden.
    return null;
  }
}

function subscribe(listener: () => void): () => void {
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}
