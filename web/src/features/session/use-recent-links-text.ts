import { useSyncExternalStore } from "react";
import { readText } from "../../lib/stored-texts.ts";

export const RECENT_LINKS_KEY = "recent_links";

/** The stored links of guests as text: their schema is not in the first script. Null if there are none. */
export function useRecentLinksText(): string | null {
  return useSyncExternalStore(subscribe, readRecentLinksText, () => null);
}

export const readRecentLinksText = () => readText(RECENT_LINKS_KEY);

function subscribe(listener: () => void): () => void {
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}
