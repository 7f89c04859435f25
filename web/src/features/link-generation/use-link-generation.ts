import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { useState } from "react";
import { completeLink, isMissingMetadata } from "./complete-link.ts";
import { useCreateLink } from "./use-create-link.ts";
import { useMetadataRetry } from "./use-metadata-retry.ts";

/** Makes links of what is pasted and holds the last one; `onGenerated` is not called after unmounting. */
export function useLinkGeneration(onGenerated: (link: GeneratedLink) => void) {
  const [link, setLink] = useState<GeneratedLink>();
  const [incompleteLink, setIncompleteLink] = useState<GeneratedLink>();

  const { isPending, create } = useCreateLink({
    onStart() {
      setLink(undefined);
      setIncompleteLink(undefined);
    },
    onCreated(created) {
      setLink(created);
      if (isMissingMetadata(created)) setIncompleteLink(created);
      onGenerated(created);
    },
  });
  useMetadataRetry(incompleteLink, async (incomplete, signal) => {
    const completed = await completeLink(incomplete, signal);
    if (completed && !signal.aborted) setLink(completed);
  });

  return {
    link,
    isPending,
    generate: create,
    /** The field has changed: what was under way for the last link is no longer wanted. */
    cancelRetry: () => setIncompleteLink(undefined),
  };
}
