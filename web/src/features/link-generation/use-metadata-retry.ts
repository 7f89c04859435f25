import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { METADATA_RETRY_DELAY_MS } from "@tapthru/proto/rules/limits";
import { useEffect, useEffectEvent } from "react";

type Retry = (incompleteLink: GeneratedLink, signal: AbortSignal) => Promise<void>;

/** Runs `retry` once for a bare link, 3 seconds on; another link, none, or unmounting drops it. */
export function useMetadataRetry(incompleteLink: GeneratedLink | undefined, retry: Retry): void {
  const run = useEffectEvent(async (link: GeneratedLink, signal: AbortSignal) => {
    try {
      await retry(link, signal);
    } catch (error) {
      if (!signal.aborted) console.warn("The link stays without title and image:", error);
    }
  });

  useEffect(() => {
    if (!incompleteLink) return;
    const abortController = new AbortController();
    const timer = setTimeout(
      () => run(incompleteLink, abortController.signal),
      METADATA_RETRY_DELAY_MS,
    );
    return () => {
      clearTimeout(timer);
      abortController.abort();
    };
  }, [incompleteLink]);
}
