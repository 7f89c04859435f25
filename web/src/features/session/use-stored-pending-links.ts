import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { PENDING_LINK_KEY } from "@tapthru/proto/rules/limits";
import { useEffect, useEffectEvent } from "react";
import { useIsSignedIn } from "./session-context.tsx";

/** The codes of links that the guest closed. They stay pending: a login claims them. */
const CLOSED_KEY = "closed_links";

/** The start page does not show these links again. */
export function closePendingLinks(links: readonly GeneratedLink[]): void {
  const codes = links.map(({ shortCode }) => shortCode);
  sessionStorage.setItem(CLOSED_KEY, [...readClosed(), ...codes].join(","));
}

function readClosed(): string[] {
  return sessionStorage.getItem(CLOSED_KEY)?.split(",") ?? [];
}

/** Passes a guest's pending links on once, if any are stored that they did not close: the oldest first. */
export function useStoredPendingLinks(onLinks: (links: readonly GeneratedLink[]) => void): void {
  const isSignedIn = useIsSignedIn();
  // An event of its own, because the guest may have created a link since the start of the import.
  const pass = useEffectEvent(onLinks);
  const restore = useEffectEvent(async () => {
    if (isSignedIn || sessionStorage.getItem(PENDING_LINK_KEY) === null) return;
    // Its schema is not in the first script.
    const { readPendingLinks } = await import("./stored-pending-links.ts");
    const closed = readClosed();
    const shown = readPendingLinks().filter(({ shortCode }) => !closed.includes(shortCode));
    pass(shown.reverse());
  });

  useEffect(() => {
    restore().catch((error) => console.warn("Failed to restore the pending link:", error));
  }, []);
}
