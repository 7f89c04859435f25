import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { messages } from "@tapthru/proto/rules/messages";
import { useRef, useState } from "react";
import { useToast } from "../../components/ui/toaster.tsx";
import { isNetworkFailure } from "../../lib/http-client.ts";
import { ensureVisitor } from "./api/visitor.ts";
import { isBare } from "./complete-link.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import { LinkGenerationError } from "./link-generation-error.ts";
import { makeLink } from "./make-link.ts";
import { useMetadataRetry } from "./use-metadata-retry.ts";

const NETWORK_RETRIES = 2;
const NETWORK_RETRY_DELAY_MS = 1_000;

/** Makes links of what is pasted, one at a time; `onGenerated` is not called after unmounting. */
export function useLinkGeneration(onGenerated: (link: GeneratedLink) => void) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [link, setLink] = useState<GeneratedLink>();
  const [bareLink, setBareLink] = useState<GeneratedLink>();
  /** Beside isPending, which turns true a moment later than a second event may come. */
  const running = useRef(false);
  useMetadataRetry(bareLink, setLink);

  const { mutate, isPending } = useMutation({
    mutationFn: async ({ url, idempotencyKey }: { url: string; idempotencyKey: string }) => {
      await ensureVisitor(queryClient);
      return makeLink(url, idempotencyKey);
    },
    retry: (failures, error) => failures < NETWORK_RETRIES && isNetworkFailure(error),
    retryDelay: NETWORK_RETRY_DELAY_MS,
  });

  return {
    link,
    isPending,
    /** The field has changed: what was under way for the last link is no longer wanted. */
    dropRetry: () => setBareLink(undefined),
    generate(url: string) {
      if (running.current) return;
      running.current = true;
      setLink(undefined);
      setBareLink(undefined);
      mutate(
        { url, idempotencyKey: newIdempotencyKey() },
        {
          onSuccess(made) {
            setLink(made);
            if (isBare(made)) setBareLink(made);
            onGenerated(made);
          },
          onError(error) {
            const known = error instanceof LinkGenerationError;
            toast({
              variant: "destructive",
              title: messages.error,
              description: known ? error.message : messages.failedToGenerateLink,
            });
          },
          onSettled() {
            running.current = false;
          },
        },
      );
    },
  };
}
