import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { opensWithoutTag } from "@tapthru/proto/rules/amazon/remove-tag";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { useState } from "react";
import { useMay } from "../../../kit/may.tsx";
import { useCall } from "../../../kit/use-call.ts";

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

export function useUntag({ shortCode, originalUrl, untaggedUrl = null }: SharedLink) {
  const page = parseStorePage(originalUrl);
  const [created, setCreated] = useState<string | null>(null);
  const known = untaggedUrl ?? created;
  const may = useMay("PUT /api/links/:shortCode/untagged");
  const { call, isPending } = useCall("PUT /api/links/:shortCode/untagged", { failed: FAILED_TO_UNTAG });
  return {
    untaggedUrl: known,
    /** True if there is one, or the user may create it. */
    isOffered: known !== null || (may && page !== null && opensWithoutTag(page.webUrl)),
    isPending,
    /** The link. Rejects with a message for the user. */
    untag: () =>
      new Promise<string>((resolve, reject) => {
        if (known !== null) return resolve(known);
        call(
          { params: { shortCode } },
          {
            onDone(link) {
              setCreated(link?.untaggedUrl ?? null);
              resolve(link?.untaggedUrl ?? "");
            },
            onFailed: (message) => reject(new Error(message)),
          },
        );
      }),
  };
}
