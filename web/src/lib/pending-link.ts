import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { PENDING_LINK_KEY } from "@tapthru/proto/rules/limits";

/**
 * Stores links created while signed out, so that they can be claimed after sign-up or login: the first one as an
 * object, the others in its field `others`. Without links, what is stored is kept.
 */
export function savePendingLinks(links: readonly GeneratedLink[], returnPath: string): void {
  const [link, ...others] = links;
  if (!link) return;
  const pending = { ...link, returnPath, ...(others.length > 0 && { others }) };
  try {
    sessionStorage.setItem(PENDING_LINK_KEY, JSON.stringify(pending));
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
