import type { GeneratedLink } from "@tapthru/proto/generate";
import { useState } from "react";
import type { CreatedLink } from "./api.ts";
import { useCreateLink } from "./use-create-link.ts";
import { isMissingMetadata, requestMetadata, useMetadataRetry } from "./use-metadata-retry.ts";

interface Options extends Pick<Parameters<typeof useCreateLink>[0], "requestLink" | "showsError"> {
  onGenerated: (link: CreatedLink) => void;
  /** The link can be displayed: at once, or after requesting the metadata of an incomplete link. */
  onReady: (link: GeneratedLink) => void;
}

/** Creates one link and stays pending afterwards. Unmounting cancels pending requests. */
export function useCreateLinkOnce({ onGenerated, onReady, ...options }: Options) {
  const [incompleteLink, setIncompleteLink] = useState<GeneratedLink>();
  const [isCreated, setCreated] = useState(false);

  const { isPending, error, clearError, create } = useCreateLink({
    ...options,
    onCreated(created) {
      setCreated(true);
      onGenerated(created);
      if (isMissingMetadata(created)) setIncompleteLink(created);
      else onReady(created);
    },
  });
  useMetadataRetry(incompleteLink, async (incomplete, signal) => {
    try {
      await requestMetadata(incomplete, signal);
    } finally {
      if (!signal.aborted) onReady(incomplete);
    }
  });

  return { isPending: isPending || isCreated, error, clearError, create };
}
