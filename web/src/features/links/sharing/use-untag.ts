import { useQueryClient } from "@tanstack/react-query";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { useState } from "react";
import { useMay } from "../../../kit/may.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { errorText } from "../../../lib/http/http-client.ts";
import { refreshAfter } from "../../../lib/link-lists.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";

const FAILED_TO_UNTAG = "The link without tag could not be made. Please try again.";

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
  const may = useMay("PUT /api/links/:shortCode/untagged");
  const { mutate, isPending } = useSingleMutation({
    mutationFn: () => callApi("PUT /api/links/:shortCode/untagged", { params: { shortCode } }),
    onSuccess(link) {
      setCreated(link.untaggedUrl);
      return refreshAfter(queryClient, "PUT /api/links/:shortCode/untagged");
    },
  });
  return {
    untaggedUrl: known,
    /** Whether there is one, or the user may create it. */
    isOffered: known !== null || may,
    isPending,
    /** The link. Rejects with a message for the user. */
    untag: () =>
      new Promise<string>((resolve, reject) => {
        if (known !== null) return resolve(known);
        mutate(undefined, {
          onSuccess: (link) => resolve(link.untaggedUrl ?? ""),
          onError: (error) => reject(new Error(errorText(error, FAILED_TO_UNTAG))),
        });
      }),
  };
}
