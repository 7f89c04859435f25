import type { Refusal } from "@tapthru/proto/http/imports";
import {
  isStorePage,
  parseAmazonUrl,
  parseStorePage,
  type StorePage,
} from "@tapthru/proto/rules/amazon/amazon-url";
import type { Resolution } from "@tapthru/runtime/safe-fetch/follow-short-link";
import type { PendingLine } from "./queries.ts";

export type ResolveShortLink = (url: string) => Promise<Resolution>;

/** Where the link of a line leads, or why it cannot be created. */
export type Destination = { originalUrl: string; page: StorePage } | { refusal: Refusal };

const RESOLVE_ATTEMPTS = 2;

/** Short links of Amazon are looked up, as everywhere: a stored link leads to a store page. */
export async function findDestination(
  resolve: ResolveShortLink,
  { url, expiresAt }: Pick<PendingLine, "url" | "expiresAt">,
): Promise<Destination> {
  if (expiresAt !== null && expiresAt <= Date.now()) return { refusal: "expired" };
  const address = parseAmazonUrl(url);
  if (address.kind === "refused") return { refusal: address.code };
  if (isStorePage(address)) return { originalUrl: url, page: address };
  for (let attempt = 1; attempt <= RESOLVE_ATTEMPTS; attempt++) {
    const resolution = await resolve(address.url);
    if (resolution.kind === "resolved") {
      const page = parseStorePage(resolution.url);
      return page === null ? { refusal: "unusable-link" } : { originalUrl: resolution.url, page };
    }
    if (resolution.kind === "leads-elsewhere") return { refusal: "unusable-link" };
  }
  return { refusal: "short-link-failed" };
}
