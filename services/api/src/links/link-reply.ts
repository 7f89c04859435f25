import type { Link } from "@tapthru/proto/http/links";
import type { LinkRow } from "./link-row.ts";
import { shortUrl } from "./short-url.ts";

/** What a link's owner is told of it. */
export function linkReply(row: LinkRow, publicBaseUrl: string): Link {
  return {
    ...row,
    shortUrl: shortUrl(publicBaseUrl, row.shortCode),
    createdAt: new Date(row.createdAt).toISOString(),
    expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt).toISOString(),
  };
}
