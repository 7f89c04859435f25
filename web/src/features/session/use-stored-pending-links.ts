import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { useEffect, useEffectEvent } from "react";
import { hasPendingLink } from "../../lib/pending-link.ts";
import { useIsSignedIn } from "./session-context.tsx";

/** Passes a signed-out visitor's pending links on once, if any are stored: they came back without signing up. */
export function useStoredPendingLinks(onLinks: (links: readonly GeneratedLink[]) => void): void {
  const isSignedIn = useIsSignedIn();
  const restore = useEffectEvent(async () => {
    if (isSignedIn || !hasPendingLink()) return;
    // Its schema is not in the initial bundle.
    const { readPendingLinks } = await import("./stored-pending-links.ts");
    const pending = readPendingLinks();
    if (pending) onLinks(pending.links);
  });

  useEffect(() => {
    restore().catch((error) => console.warn("Failed to restore the pending link:", error));
  }, []);
}
