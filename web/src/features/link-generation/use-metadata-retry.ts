import type { GeneratedLink } from "@tapthru/proto/generate";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { METADATA_RETRY_DELAY_MS } from "@tapthru/proto/rules/limits";
import { useEffect, useEffectEvent } from "react";
import { getMetadata } from "../../lib/get-metadata.ts";
import { generate } from "./api.ts";
import type { NewLinkOptions } from "./new-links.ts";
import { newIdempotencyKey } from "./use-create-link.ts";

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
    const timer = setTimeout(() => run(incompleteLink, abortController.signal), METADATA_RETRY_DELAY_MS);
    return () => {
      clearTimeout(timer);
      abortController.abort();
    };
  }, [incompleteLink]);
}

export function isMissingMetadata({ imageUrl, title }: Pick<GeneratedLink, "imageUrl" | "title">): boolean {
  return !imageUrl && !title;
}

/** Requests the metadata of a link by the product id of its deep link. */
export async function requestMetadata({ originalUrl, deepLink }: GeneratedLink, signal: AbortSignal) {
  const page = parseStorePage(originalUrl);
  const productId = new URL(deepLink).searchParams.get("product_id");
  if (!productId || page === null) return null;
  return getMetadata({ productId, marketplace: page.marketplace }, signal);
}

/** Requests the metadata of an incomplete link. If there is any, generates the link again. */
export async function completeLink(
  link: GeneratedLink,
  options: NewLinkOptions,
  signal: AbortSignal,
): Promise<GeneratedLink | null> {
  const metadata = await requestMetadata(link, signal);
  if (!metadata || isMissingMetadata(metadata)) return null;
  return generate(link.originalUrl, { idempotencyKey: newIdempotencyKey(), signal, ...options });
}
