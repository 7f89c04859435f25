import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { useState } from "react";
import { isMissingMetadata, requestMetadata } from "./complete-link.ts";
import { useCreateLink } from "./use-make-link.ts";
import { useMetadataRetry } from "./use-metadata-retry.ts";

interface Options {
  onGenerated: (link: GeneratedLink) => void;
  /** The link may be shown: at once, or after the metadata of a bare link was asked for again. */
  onReady: (link: GeneratedLink) => void;
}

/** Makes one link and is pending for good once it is made. Unmounting drops whatever is under way. */
export function useLinkCreation({ onGenerated, onReady }: Options) {
  const [bareLink, setBareLink] = useState<GeneratedLink>();
  const [isMade, setMade] = useState(false);

  const { isPending, make } = useCreateLink({
    onMade(made) {
      setMade(true);
      onGenerated(made);
      if (isMissingMetadata(made)) setBareLink(made);
      else onReady(made);
    },
  });
  useMetadataRetry(bareLink, async (bare, signal) => {
    try {
      await requestMetadata(bare, signal);
    } finally {
      if (!signal.aborted) onReady(bare);
    }
  });

  return { isPending: isPending || isMade, create: make };
}
