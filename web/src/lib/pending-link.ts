import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { PENDING_LINK_KEY } from "@tapthru/proto/rules/limits";

/** Keeps a link made while signed out until its maker has an account to attach it to. */
export function savePendingLink(link: GeneratedLink, returnPath: string): void {
  try {
    sessionStorage.setItem(PENDING_LINK_KEY, JSON.stringify({ ...link, returnPath }));
  } catch {
    // Storage may be forbidden: signing up works all the same, the link stays nobody's.
  }
}
