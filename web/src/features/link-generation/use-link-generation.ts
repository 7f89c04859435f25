import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { useState } from "react";
import { completeLink, isMissingMetadata } from "./complete-link.ts";
import { useCreateLink } from "./use-make-link.ts";
import { useMetadataRetry } from "./use-metadata-retry.ts";

/** Makes links of what is pasted and holds the last one; `onGenerated` is not called after unmounting. */
export function useLinkGeneration(onGenerated: (link: GeneratedLink) => void) {
  const [link, setLink] = useState<GeneratedLink>();
  const [bareLink, setBareLink] = useState<GeneratedLink>();

  const { isPending, make } = useCreateLink({
    onStart() {
      setLink(undefined);
      setBareLink(undefined);
    },
    onMade(made) {
      setLink(made);
      if (isMissingMetadata(made)) setBareLink(made);
      onGenerated(made);
    },
  });
  useMetadataRetry(bareLink, async (bare, signal) => {
    const completed = await completeLink(bare, signal);
    if (completed && !signal.aborted) setLink(completed);
  });

  return {
    link,
    isPending,
    generate: make,
    /** The field has changed: what was under way for the last link is no longer wanted. */
    dropRetry: () => setBareLink(undefined),
  };
}
