import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { METADATA_RETRY_DELAY_MS } from "@tapthru/proto/rules/limits";
import { useEffect, useEffectEvent } from "react";

type Retry = (incompleteLink: GeneratedLink, signal: AbortSignal) => Promise<void>;

/** Runs `retry` once for an incomplete link, after 3 seconds. A change of the link or unmounting cancels it. */
export function useMetadataRetry(incompleteLink: GeneratedLink | undefined, retry: Retry): void {
  const run = useEffectEvent(async (link: GeneratedLink, signal: AbortSignal) => {
    try {
      await retry(link, signal);
    } catch (error) {
      if (!signal.aborted) console.warn("Failed to complete the link's metadata:", error);
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
