import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { useState } from "react";
import type { CreatedLink } from "./api.ts";
import { useCreateLink } from "./use-create-link.ts";
import { completeLink, isMissingMetadata, useMetadataRetry } from "./use-metadata-retry.ts";

/** Generates links and keeps the last one. `onGenerated` is not called after the component unmounts. */
export function useLinkGeneration(onGenerated: (link: CreatedLink) => void) {
  const [link, setLink] = useState<GeneratedLink>();
  const [incompleteLink, setIncompleteLink] = useState<GeneratedLink>();

  const { isPending, error, clearError, create } = useCreateLink({
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
    error,
    generate: create,
    /** The input has changed. Cancels the metadata retry of the last link, and clears its error. */
    onEdit() {
      setIncompleteLink(undefined);
      clearError();
    },
  };
}
