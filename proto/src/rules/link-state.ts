import type { TagHealth } from "./amazon/tag-health.ts";
import type { LinkState, PageState } from "./link-health.ts";

/**
 * The state of a link. If several are true, the one that costs most: a missing product, then a lost tag, then a product
 * that may return.
 * @param isSaved whether the owner saved the tag for this store: then it may have any form
 */
export function linkState(tag: TagHealth, page: PageState, isSaved = false): LinkState {
  if (page === "product-gone" || page === "redirected-elsewhere") return page;
  if (tag.kind === "none") return "tag-missing";
  if (tag.kind === "several") return "tag-malformed";
  if (tag.kind === "unusual" && !isSaved) return "tag-malformed";
  return page;
}
