import type { TagHealth } from "./amazon/tag-health.ts";

export const healthReasons: Record<LinkState, string> = {
  ok: "Everything works: Amazon has the product, and the link has a tag.",
  "product-gone": "Amazon no longer has this product.",
  "redirected-elsewhere": "Amazon sends visitors of this product to another page.",
  "tag-missing": "This link has no tag, so you earn nothing from purchases.",
  "tag-malformed": "Amazon may not count the tag of this link.",
  "out-of-stock": "No seller on Amazon has this product at the moment.",
  unknown: "Not known yet: Amazon has not responded to a check of this product.",
};
/** The findings of a check of a page. `unknown`: also a captcha, a refusal and no response. */
export const PAGE_STATES = ["ok", "product-gone", "out-of-stock", "redirected-elsewhere", "unknown"] as const;
export type PageState = (typeof PAGE_STATES)[number];

export const LINK_STATES = [...PAGE_STATES, "tag-missing", "tag-malformed"] as const;
export type LinkState = (typeof LINK_STATES)[number];

export const UNHEALTHY_STATES = [
  "product-gone",
  "redirected-elsewhere",
  "tag-missing",
  "tag-malformed",
  "out-of-stock",
] as const satisfies readonly LinkState[];
export type UnhealthyState = (typeof UNHEALTHY_STATES)[number];

export function isUnhealthy(state: LinkState): state is UnhealthyState {
  return (UNHEALTHY_STATES as readonly LinkState[]).includes(state);
}

export const CHECK_SOURCES = ["creators-api", "page"] as const;
export type CheckSource = (typeof CHECK_SOURCES)[number];

/**
 * The state of a link. If several are true, the one that costs most: a missing product, then a lost tag, then a product
 * that may return.
 * @param isSaved whether the owner saved the tag for this store: then it may have any form
 */
export function linkState(tag: TagHealth, page: PageState, isSaved = false): LinkState {
  if (page === "product-gone" || page === "redirected-elsewhere") return page;
  if (tag.kind === "none") return "tag-missing";
  if (tag.kind === "several" || tag.kind === "misplaced") return "tag-malformed";
  if ((tag.kind === "unusual" || tag.kind === "placeholder") && !isSaved) return "tag-malformed";
  return page;
}
