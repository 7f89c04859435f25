import type { LiveRecord, RedirectRecord } from "@tapthru/proto/redirect/record";
import { isStorePage, parseAmazonUrl } from "@tapthru/proto/rules/amazon-url";
import type { Marketplace } from "@tapthru/proto/rules/marketplaces";

export interface LiveLink extends LiveRecord {
  marketplace: Marketplace;
}
export type Link = LiveLink | Exclude<RedirectRecord, LiveRecord>;

/**
 * What asking for a code came to. `unavailable`: nobody who could know it answered; `limited`: who
 * asks has asked for too many unknown codes.
 */
export type Lookup =
  | Link
  | { state: "unknown" }
  | { state: "unavailable" }
  | { state: "limited"; retryAfterMs: number };

/**
 * Judges a record's address as if it had just been pasted: whoever can write to Redis or Postgres
 * still cannot send a visitor anywhere but to a page of an Amazon store.
 * @returns null for an address that is none
 */
export function linkFrom(record: RedirectRecord): Link | null {
  if (record.state === "gone") return record;
  const page = parseAmazonUrl(record.webUrl);
  if (!isStorePage(page)) return null;
  return { ...record, webUrl: page.webUrl, marketplace: page.marketplace };
}
