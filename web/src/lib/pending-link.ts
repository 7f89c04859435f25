import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { PENDING_LINK_KEY } from "@tapthru/proto/rules/limits";

type PendingLink = GeneratedLink & { returnPath: string };

/** Keeps a link made while signed out until its maker has an account to attach it to. */
export function keepPendingLink(link: GeneratedLink, returnPath: string): void {
  try {
    sessionStorage.setItem(PENDING_LINK_KEY, JSON.stringify({ ...link, returnPath }));
  } catch {
    // Storage may be forbidden: signing up works all the same, the link stays nobody's.
  }
}

export function readPendingLink(): PendingLink | null {
  try {
    return JSON.parse(sessionStorage.getItem(PENDING_LINK_KEY) ?? "null");
  } catch {
    return null;
  }
}

export function dropPendingLink(): void {
  sessionStorage.removeItem(PENDING_LINK_KEY);
}
