import {
  type AmazonUrl,
  isStorePage,
  parseNewDestination,
  parseStorePage,
} from "@tapthru/proto/rules/amazon/amazon-url";
import type { Defect } from "@tapthru/proto/rules/amazon/defects";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { type Repair, repairAmazonUrl } from "@tapthru/proto/rules/amazon/repair-url";
import { type TagHealth, tagHealth, tagsOf } from "@tapthru/proto/rules/amazon/tag-health";
import { parseWebAddress } from "@tapthru/proto/rules/amazon/web-address";

type TagDefect = Extract<Defect, "entities" | "misplaced" | "tag-name" | "empty-tag">;

/** What an address pays by its text alone. `sound`: its tag pays the owner of the tag. `redirect`: leads over another page of Amazon. */
export type Reason = TagHealth["kind"] | TagDefect | "broken" | "redirect" | "sponsored" | "short" | "wrapped";

export interface Judgement {
  reason: Reason;
  /** The address that was meant, accepted by parseNewDestination, perhaps without a tag. Null if it is not known. */
  meant: string | null;
  /** Null for short links. */
  marketplace: Marketplace | null;
  /** Those of the address, wherever they stand in it. */
  tags: readonly string[];
}

const TAG_DEFECTS: readonly Defect[] = ["entities", "misplaced", "tag-name", "empty-tag"] satisfies TagDefect[];
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
  if (given.kind === "short") return { reason: "short", meant, marketplace: null, tags: tagIn(given) };
  if (given.kind === "refused" && repair === null) {
    if (given.code === "not-an-amazon-link" || given.code === "not-a-shopping-page") return null;
    const reason = given.code === "unusable-link" && !parseStorePage(address) ? "redirect" : "broken";
    return { reason, meant, marketplace: null, tags: [] };
  }
  const page = meant === null ? null : parseStorePage(meant);
  if (page === null) return { reason: "short", meant, marketplace: null, tags: [] };
  const health = tagHealth(isStorePage(given) ? given : page);
  const found = { meant, marketplace: page.marketplace, tags: tagsOf(page) };
  if (page.kind === "other" && CUT_PRODUCT.test(page.webUrl)) return { ...found, reason: "broken", meant: null };
  return { ...found, reason: reasonOf(address, given, health, repair) };
}

function reasonOf(address: string, given: AmazonUrl, { kind }: TagHealth, repair: Repair | null): Reason {
  const defects = repair?.defects ?? [];
  if (defects.includes("isbn-13")) return "broken";
  if (kind !== "none") return kind;
  if (defects.includes("wrapper")) return "wrapped";
  const defect = defects.find((each) => TAG_DEFECTS.includes(each)) as TagDefect | undefined;
  if (defect !== undefined) return defect;
  const path = parseWebAddress(address)?.path ?? "";
  return given.kind === "product" && /^\/sspa\//i.test(path) ? "sponsored" : "none";
}

const tagIn = ({ tag }: { tag: string | null }) => (tag === null ? [] : [tag]);
