import type { GeneratedLink } from "@tapthru/proto/generate";
import { useRef, useState } from "react";
import type { CreatedLink } from "./api.ts";
import type { NewLinkOptions } from "./new-links.ts";
import { createLink, useCreateLink } from "./use-create-link.ts";
import { completeLink, isMissingMetadata, useMetadataRetry } from "./use-metadata-retry.ts";

/**
 * Generates links and keeps the last one.
 * @param loadResult loads what shows it
 * @param onGenerated not called after the component unmounts
 */
export function useLinkGeneration(loadResult: () => Promise<void>, onGenerated: (link: CreatedLink) => void) {
  const [link, setLink] = useState<GeneratedLink>();
  const [incompleteLink, setIncompleteLink] = useState<GeneratedLink>();
  const options = useRef<NewLinkOptions>({});

  const { isPending, error, clearError, create } = useCreateLink({
    async requestLink(...request) {
      await loadResult();
      return createLink(...request);
    },
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
    const completed = await completeLink(incomplete, options.current, signal);
    if (completed && !signal.aborted) setLink(completed);
  });

  return {
    link,
    isPending,
    error,
    generate(url: string, chosen: NewLinkOptions) {
      options.current = chosen;
      create(url, chosen);
    },
    /** The input has changed. Cancels the metadata retry of the last link, and clears its error. */
    onEdit() {
      setIncompleteLink(undefined);
      clearError();
    },
  };
}
