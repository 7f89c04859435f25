import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { METADATA_RETRY_DELAY_MS } from "@tapthru/proto/rules/limits";
import { useEffect, useEffectEvent } from "react";
import { completeLink } from "./complete-link.ts";

/** Tries once to complete a bare link; another link, none, or unmounting drops the attempt. */
export function useMetadataRetry(
  bareLink: GeneratedLink | undefined,
  onCompleted: (link: GeneratedLink) => void,
): void {
  const complete = useEffectEvent(async (link: GeneratedLink, signal: AbortSignal) => {
    try {
      const completed = await completeLink(link, signal);
      if (completed && !signal.aborted) onCompleted(completed);
    } catch (error) {
      if (!signal.aborted) console.warn("The link stays without title and image:", error);
    }
  });

  useEffect(() => {
    if (!bareLink) return;
    const dropped = new AbortController();
    const timer = setTimeout(() => complete(bareLink, dropped.signal), METADATA_RETRY_DELAY_MS);
    return () => {
      clearTimeout(timer);
      dropped.abort();
    };
  }, [bareLink]);
}
