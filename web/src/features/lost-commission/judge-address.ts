import { isStorePage, parseNewDestination, parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { repairAmazonUrl } from "@tapthru/proto/rules/amazon/repair-url";
import { type TagHealth, tagHealth, tagsOf } from "@tapthru/proto/rules/amazon/tag-health";

/** What an address pays by its text alone. `sound`: its tag pays the owner of the tag. */
export type Reason = TagHealth["kind"] | "broken" | "short" | "wrapped";

export interface Judgement {
  reason: Reason;
  /** The address that was meant, accepted by parseNewDestination, perhaps without a tag. Null if it is not known. */
  meant: string | null;
  /** Null for short links. */
  marketplace: Marketplace | null;
  /** Those of the address, wherever they stand in it. */
  tags: readonly string[];
}

/** A product's address of which an end is missing. */
const CUT_PRODUCT = /^[^?]*\/(?:dp|gp\/product)\/[^/?]{0,9}(?:[/?]|$)/i;

/**
 * @param address complete, of any site
 * @returns null if it leads to no page of Amazon's stores
 */
export function judgeAddress(address: string): Judgement | null {
  const given = parseNewDestination(address);
  const repair = repairAmazonUrl(address);
  const meant = repair?.url ?? (given.kind === "refused" ? null : address);
  const page = meant === null ? null : parseStorePage(meant);
  if (page === null) {
    const refusal = meant === null && given.kind === "refused" ? given.code : "";
    if (refusal === "not-an-amazon-link" || refusal === "not-a-shopping-page") return null;
    const tags = given.kind === "short" && given.tag !== null ? [given.tag] : [];
    return { reason: meant === null ? "broken" : "short", meant, marketplace: null, tags };
  }
  const found = { meant, marketplace: page.marketplace, tags: tagsOf(page) };
  if (page.kind === "other" && CUT_PRODUCT.test(page.webUrl)) return { ...found, reason: "broken", meant: null };
  const { kind } = tagHealth(isStorePage(given) ? given : page);
  if (repair?.defects.includes("isbn-13")) return { ...found, reason: "broken" };
  if (kind !== "none") return { ...found, reason: kind };
  if (repair?.defects.includes("wrapper")) return { ...found, reason: "wrapped" };
  return { ...found, reason: found.tags.length > 0 ? "misplaced" : "none" };
}
