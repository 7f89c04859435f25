import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { PENDING_LINK_KEY } from "@tapthru/proto/rules/limits";

/** Stores a link created while signed out, so that it can be claimed after sign-up or login. */
export function savePendingLink(link: GeneratedLink, returnPath: string): void {
  try {
    sessionStorage.setItem(PENDING_LINK_KEY, JSON.stringify({ ...link, returnPath }));
  } catch {
    // Storage may be forbidden. Sign-up still works, but the link is not claimed.
  }
}

export function hasPendingLink(): boolean {
  try {
    return sessionStorage.getItem(PENDING_LINK_KEY) !== null;
  } catch {
    return false;
  }
}
