import type { LinkState } from "../link-health.ts";

export const healthReasons: Record<LinkState, string> = {
  ok: "Everything works: Amazon has the product, and the link has a tag.",
  "product-gone": "Amazon no longer has this product.",
  "redirected-elsewhere": "Amazon sends visitors of this product to another page.",
  "tag-missing": "This link has no tag, so you earn nothing from purchases.",
  "tag-malformed": "The tag of this link does not look like one that Amazon issues.",
  "out-of-stock": "No seller on Amazon has this product at the moment.",
  unknown: "Not known yet: Amazon has not responded to a check of this product.",
};
