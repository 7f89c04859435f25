import type { Link, LinkHealth } from "@tapthru/proto/http/links";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { checkLink } from "./check-link.ts";
import type { LinkRow } from "./link-row.ts";

/** The link as its owner sees it, validated by `checkLink`. */
export function linkReply(row: LinkRow, publicBaseUrl: string): Link {
  return {
    ...checkLink(row, publicBaseUrl),
    shortUrl: shortUrl(publicBaseUrl, row.shortCode),
    createdAt: new Date(row.createdAt).toISOString(),
    expiresAt: isoTime(row.expiresAt),
    health: linkHealth(row),
  };
}

function linkHealth(row: LinkRow): LinkHealth {
  const state = row.healthState ?? "unknown";
  return {
    state,
    since: state === "unknown" ? null : isoTime(row.healthSince),
    checkedAt: isoTime(row.checkedAt),
    source: row.checkSource,
    attemptedAt: isoTime(row.attemptedAt),
  };
}

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
