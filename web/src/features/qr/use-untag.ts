import { useQueryClient } from "@tanstack/react-query";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { useState } from "react";
import { callApi } from "../../lib/http/call-api.ts";
import { refreshPaths } from "../../lib/link-lists.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

export const FAILED_TO_UNTAG = "The link without tag could not be made. Please try again.";

export interface SharedLink {
  shortUrl: string;
  shortCode: string;
  originalUrl: string;
  /** Undefined: of a guest's link, which can have none. */
  untaggedUrl?: string | null;
}

export function hasTag({ originalUrl }: Pick<SharedLink, "originalUrl">): boolean {
  const page = parseStorePage(originalUrl);
  return page !== null && tagHealth(page).kind !== "none";
}

/** The short link without tag, which is created when it is first wanted. */
export function useUntag({ shortCode, untaggedUrl = null }: SharedLink) {
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<string | null>(null);
  const known = untaggedUrl ?? created;
  const { mutate, isPending } = useSingleMutation({
    mutationFn: () => callApi("PUT /api/links/:shortCode/untagged", { params: { shortCode } }),
    onSuccess(link) {
      setCreated(link.untaggedUrl);
      const isOfLink = (path: string) => path === "/api/links" || path.startsWith("/api/links/:shortCode");
      return refreshPaths(queryClient, isOfLink);
    },
  });
  return {
    untaggedUrl: known,
    isPending,
    untag(onReady: (url: string) => void, onError: () => void) {
      if (known !== null) return onReady(known);
      mutate(undefined, { onSuccess: (link) => onReady(link.untaggedUrl ?? ""), onError });
    },
  };
}
