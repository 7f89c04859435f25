import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { METADATA_RETRY_DELAY_MS } from "@tapthru/proto/rules/limits";
import { useEffect, useEffectEvent } from "react";

type Retry = (bareLink: GeneratedLink, signal: AbortSignal) => Promise<void>;

/** Runs `retry` once for a bare link, 3 seconds on; another link, none, or unmounting drops it. */
export function useMetadataRetry(bareLink: GeneratedLink | undefined, retry: Retry): void {
  const run = useEffectEvent(async (link: GeneratedLink, signal: AbortSignal) => {
    try {
      await retry(link, signal);
    } catch (error) {
      if (!signal.aborted) console.warn("The link stays without title and image:", error);
    }
  });

  useEffect(() => {
    if (!bareLink) return;
    const dropped = new AbortController();
    const timer = setTimeout(() => run(bareLink, dropped.signal), METADATA_RETRY_DELAY_MS);
    return () => {
      clearTimeout(timer);
      dropped.abort();
    };
  }, [bareLink]);
}
