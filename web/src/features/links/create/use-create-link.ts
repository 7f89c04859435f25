import type { GeneratedLink } from "@tapthru/proto/generate";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { useEffect, useEffectEvent, useState } from "react";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { httpErrorOf } from "../../../lib/http/http-client.ts";
import { type CreatedLink, lastingMessage, type NewLinkOptions } from "./create-link.ts";
import { type Line, useCreateLinks } from "./use-create-links.ts";

const METADATA_RETRY_DELAY_MS = 3_000;

export type LinkCreation = ReturnType<typeof useCreateLink>;

/**
 * New links of a page that shows one at its field. If others are added before it is created, it is a line of their list.
 * @param onCreated not called after the page was left, nor for a line of a list
 * @param onStart called within the click or paste that creates a link
 */
export function useCreateLink(onCreated: (link: CreatedLink) => void, onStart: () => void) {
  const links = useCreateLinks();
  const showError = useErrorToast();
  const [address, setAddress] = useState<string>();
  const [isEdited, setEdited] = useState(false);
  const [first, ...others] = links.lines;
  const line = first?.address === address && others.length === 0 ? first : undefined;
  const refusedName = line && refusedNameOf(line, line.error);
  return {
    links,
    line,
    refusedName,
    error: line?.error && !refusedName && !isEdited ? lastingMessage(line.error) : undefined,
    create(url: string, options: NewLinkOptions) {
      onStart();
      setAddress(url);
      setEdited(false);
      // The field has another address now. The same one is tried again.
      links.clear((each) => each.error !== null && each.address === address && address !== url);
      links.add([url], options, {
        onSuccess: onCreated,
        onError: (error) => refusedNameOf({ options }, error) ?? showError(error.message),
      });
    },
    onEdit: () => setEdited(true),
  };
}

function refusedNameOf({ options: { slug } }: Pick<Line, "options">, error: Error | null): string | undefined {
  const refusal = httpErrorOf(error);
  const isRefused = slug !== undefined && (refusal?.code === "slug-taken" || refusal?.code === "invalid-body");
  return isRefused ? refusal?.text : undefined;
}

export const isMissingMetadata = ({ imageUrl, title }: Pick<GeneratedLink, "imageUrl" | "title">) =>
  !imageUrl && !title;

/**
 * Requests the metadata of an incomplete link after 3 seconds. A change of the link or unmounting cancels it.
 * @param onReply called also after a failure, which is only logged
 */
export function useMetadataRetry<Link extends GeneratedLink>(
  incomplete: Link | undefined,
  onReply: (link: Link, isFound: boolean) => void,
): void {
  const run = useEffectEvent(async (link: Link, signal: AbortSignal) => {
    const isFound = await hasMetadata(link, signal).catch((error) => {
      if (!signal.aborted) console.warn("Failed to complete the link's metadata:", error);
      return false;
    });
    if (!signal.aborted) onReply(link, isFound);
  });

  useEffect(() => {
    if (!incomplete) return;
    const stop = new AbortController();
    const timer = setTimeout(() => run(incomplete, stop.signal), METADATA_RETRY_DELAY_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [incomplete]);
}

/** By the product id of the deep link. */
async function hasMetadata({ originalUrl, deepLink }: GeneratedLink, signal: AbortSignal): Promise<boolean> {
  const page = parseStorePage(originalUrl);
  const productId = new URL(deepLink).searchParams.get("product_id");
  if (!productId || page === null) return false;
  const query = { product_id: productId, marketplace: page.marketplace };
  return !isMissingMetadata(await callApi("GET /api/metadata", { query, signal }));
}
