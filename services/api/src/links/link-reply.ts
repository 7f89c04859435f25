import type { Link } from "@tapthru/proto/http/links";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { checkLink } from "./check-link.ts";
import type { LinkRow } from "./link-row.ts";

/** The link as its owner sees it, validated by `checkLink`. */
export function linkReply(row: LinkRow, publicBaseUrl: string): Link {
  return {
    ...checkLink(row, publicBaseUrl),
    shortUrl: shortUrl(publicBaseUrl, row.shortCode),
    createdAt: new Date(row.createdAt).toISOString(),
    expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt).toISOString(),
  };
}
