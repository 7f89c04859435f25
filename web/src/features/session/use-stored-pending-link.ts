import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { useEffect, useEffectEvent } from "react";
import { hasPendingLink } from "../../lib/pending-link.ts";
import { useIsSignedIn } from "./session-context.tsx";

/** Passes a signed-out visitor's pending link on once, if one is stored: they came back without signing up. */
export function useStoredPendingLink(onLink: (link: GeneratedLink) => void): void {
  const isSignedIn = useIsSignedIn();
  const restore = useEffectEvent(async () => {
    if (isSignedIn || !hasPendingLink()) return;
    // Its schema is not in the initial bundle.
    const { readPendingLink } = await import("./stored-pending-link.ts");
    const link = readPendingLink();
    if (link) onLink(link);
  });

  useEffect(() => {
    restore().catch((error) => console.warn("Failed to restore the pending link:", error));
  }, []);
}
