import { useQueryClient } from "@tanstack/react-query";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { isNetworkFailure } from "../../lib/http/http-client.ts";
import { refreshLinkLists } from "../../lib/link-lists.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";
import type { CreatedLink } from "./api/generate.ts";
import { ensureClaimCookie } from "./api/visitor.ts";
import { createLink } from "./create-link.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import { LinkGenerationError } from "./link-generation-error.ts";
import { isNetworkRetry, NETWORK_RETRY_DELAY_MS } from "./network-retry.ts";

interface Options {
  onStart?: () => void;
  /** Not called after the component unmounts. */
  onCreated: (link: CreatedLink) => void;
  requestLink?: RequestLink;
  /** Whether the caller shows the error instead. */
  showsError?: (error: Error) => boolean;
}

export type RequestLink = (url: string, idempotencyKey: string) => Promise<CreatedLink>;

/** Creates links one at a time. If that fails, shows a toast, and keeps the error until the next input or attempt. */
export function useCreateLink(options: Options) {
  const { onStart, onCreated, requestLink = createLink, showsError } = options;
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const [error, setError] = useState<string>();

  const { mutate, isPending } = useSingleMutation({
    onMutate() {
      setError(undefined);
      onStart?.();
    },
    mutationFn: async ({ url, idempotencyKey }: { url: string; idempotencyKey: string }) => {
      await ensureClaimCookie(queryClient);
      return requestLink(url, idempotencyKey);
    },
    retry: isNetworkRetry,
    retryDelay: NETWORK_RETRY_DELAY_MS,
    onSuccess: () => refreshLinkLists(queryClient),
  });

  return {
    isPending,
    error,
    clearError: () => setError(undefined),
    create(url: string) {
      mutate(
        { url, idempotencyKey: newIdempotencyKey() },
        {
          onSuccess: onCreated,
          onError(cause) {
            if (showsError?.(cause)) return;
            const hasMessage = cause instanceof LinkGenerationError;
            const message = hasMessage ? cause.message : messages.failedToGenerateLink;
            showError(message);
            const isOffline = isNetworkFailure(cause) && !navigator.onLine;
            setError(isOffline ? messages.youAreOffline : message);
          },
        },
      );
    },
  };
}
