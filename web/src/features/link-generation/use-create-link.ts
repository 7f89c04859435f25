import { useQueryClient } from "@tanstack/react-query";
import { parseAmazonUrl, parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { isNetworkFailure } from "../../lib/http/http-client.ts";
import { refreshLinkLists } from "../../lib/link-lists.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";
import { type CreatedLink, ensureClaimCookie, generate, LinkGenerationError, resolveLink } from "./api.ts";
import type { NewLinkOptions } from "./new-links.ts";

interface Options {
  onStart?: () => void;
  /** Not called after the component unmounts. */
  onCreated: (link: CreatedLink) => void;
  requestLink?: RequestLink;
  /** Whether the caller shows the error instead. */
  showsError?: (error: Error) => boolean;
}

export type RequestLink = (url: string, idempotencyKey: string, options: NewLinkOptions) => Promise<CreatedLink>;

interface Variables extends NewLinkOptions {
  url: string;
  idempotencyKey: string;
}

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
    mutationFn: async ({ url, idempotencyKey, ...options }: Variables) => {
      await ensureClaimCookie(queryClient);
      return requestLink(url, idempotencyKey, options);
    },
    retry: isNetworkRetry,
    retryDelay: NETWORK_RETRY_DELAY_MS,
    onSuccess: () => refreshLinkLists(queryClient),
  });

  return {
    isPending,
    error,
    clearError: () => setError(undefined),
    create(url: string, options?: NewLinkOptions) {
      mutate(
        { url, idempotencyKey: newIdempotencyKey(), ...options },
        {
          onSuccess: onCreated,
          onError(cause) {
            if (showsError?.(cause)) return;
            const hasMessage = cause instanceof LinkGenerationError;
            const message = hasMessage ? cause.message : "Failed to generate link";
            showError(message);
            const isOffline = isNetworkFailure(cause) && !navigator.onLine;
            setError(isOffline ? "You're offline. Check your internet connection." : message);
          },
        },
      );
    },
  };
}

/** Creates a short link from an Amazon link. Resolves short Amazon links first. */
export async function createLink(url: string, idempotencyKey: string, options: NewLinkOptions): Promise<CreatedLink> {
  const storeUrl = parseAmazonUrl(url).kind === "short" ? await resolveToStore(url) : url;
  return generate(storeUrl, { idempotencyKey, ...options });
}

async function resolveToStore(shortUrl: string): Promise<string> {
  const resolvedUrl = await resolveLink(shortUrl);
  if (parseStorePage(resolvedUrl) === null) {
    throw new LinkGenerationError(messages.invalidAmazonUrl);
  }
  return resolvedUrl;
}

const NETWORK_RETRIES = 2;
export const NETWORK_RETRY_DELAY_MS = 1_000;

/** Whether creating a link is retried after this number of failures. */
export function isNetworkRetry(failures: number, error: Error): boolean {
  return failures < NETWORK_RETRIES && isNetworkFailure(error);
}

/** 128 random bits as hex. crypto.randomUUID does not exist over plain http. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
