import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { PENDING_LINK_KEY } from "@tapthru/proto/rules/limits";
import { useEffect, useEffectEvent } from "react";
import { useIsSignedIn } from "./session-context.tsx";

/** Passes a signed-out visitor's pending links on once, if any are stored: the oldest first. */
export function useStoredPendingLinks(onLinks: (links: readonly GeneratedLink[]) => void): void {
  const isSignedIn = useIsSignedIn();
  // An event of its own, because the visitor may have created a link since the start of the import.
  const pass = useEffectEvent(onLinks);
  const restore = useEffectEvent(async () => {
    if (isSignedIn || sessionStorage.getItem(PENDING_LINK_KEY) === null) return;
    // Its schema is not in the initial bundle.
    const { readPendingLinks } = await import("./stored-pending-links.ts");
    pass(readPendingLinks().reverse());
  });

  useEffect(() => {
    restore().catch((error) => console.warn("Failed to restore the pending link:", error));
  }, []);
}
