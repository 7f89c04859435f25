import { lineRefusal, type Refusal } from "@tapthru/proto/http/imports";
import {
  isStorePage,
  parseNewDestination,
  parseStorePage,
  type StorePage,
} from "@tapthru/proto/rules/amazon/amazon-url";
import type { Resolution } from "@tapthru/runtime/safe-fetch/follow-short-link";
import type { PendingLine } from "./queries.ts";

export type ResolveShortLink = (url: string) => Promise<Resolution>;

/**
 * Where the link of a line leads, or why it cannot be created. It may be possible later if Amazon did not respond, or was
 * not requested because it did not respond before.
 */
export type Destination =
  | { originalUrl: string; page: StorePage }
  | { refusal: Refusal }
  | "no-response"
  | "not-requested";

/** The destination of a line, or the short link that has to be looked up for it. */
export function destinationOf({
  url,
  expiresAt,
}: Pick<PendingLine, "url" | "expiresAt">): Destination | { shortLink: string } {
  if (expiresAt !== null && expiresAt <= Date.now()) return { refusal: "expired" };
  const address = parseNewDestination(url);
  if (address.kind === "refused") return { refusal: lineRefusal(address.code) };
  return isStorePage(address) ? { originalUrl: url, page: address } : { shortLink: address.url };
}

/** A stored link leads to a store page, as everywhere. */
export function resolvedDestination(resolution: Resolution): Destination {
  switch (resolution.kind) {
    case "resolved": {
      const page = parseStorePage(resolution.url);
      return page === null ? { refusal: "unusable-link" } : { originalUrl: resolution.url, page };
    }
    case "leads-elsewhere":
    case "not-short":
      return { refusal: "unusable-link" };
    case "bad-response":
      return resolution.permanent ? { refusal: "short-link-unknown" } : "no-response";
    case "too-slow":
      return "no-response";
  }
}
