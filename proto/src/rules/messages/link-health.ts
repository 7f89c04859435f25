import type { CheckSource, LinkState, UnhealthyState } from "../link-health.ts";

export const linkHealth = "Health";

/** Beside links. A link without a tag has another badge. */
export const healthBadges: Record<Exclude<UnhealthyState, "tag-missing">, string> = {
  "product-gone": "Product gone",
  "redirected-elsewhere": "Redirected",
  "tag-malformed": "Check the tag",
  "out-of-stock": "Out of stock",
};

export const healthReasons: Record<LinkState, string> = {
  ok: "Everything works: Amazon has the product, and your tag is in the link.",
  "product-gone": "Amazon no longer has this product.",
  "redirected-elsewhere": "Amazon sends visitors of this product to another page.",
  "tag-missing": "This link has no tag, so you earn nothing from purchases.",
  "tag-malformed": "The tag of this link does not look like one that Amazon issues.",
  "out-of-stock": "No seller on Amazon has this product at the moment.",
  unknown: "Not known yet: Amazon has not responded to a check of this product.",
};

export const visitorsSeeGone = "Visitors see a page of Amazon that says so.";

/** What the user can do. */
export const healthAdvice: Record<UnhealthyState, string> = {
  "product-gone": "Change the destination above to another product. The short link stays the same.",
  "redirected-elsewhere":
    "Open the link and see whether the page is what you mean. If not, change the destination above. The short link stays the same.",
  "tag-missing": "Add your tag above, or change the destination to one with your tag.",
  "tag-malformed":
    "Compare it with your tag at Amazon Associates, and change the destination above. If it is right, save it under Stores and tags.",
  "out-of-stock":
    "It may come back. Until then you can change the destination above to another product. The short link stays the same.",
};

const SOURCES: Record<CheckSource, string> = {
  "creators-api": "with Amazon's Creators API",
  page: "on its page",
};
export const healthSince = (date: string) => `Since ${date}.`;
export const lastChecked = (date: string, source: CheckSource) =>
  `Amazon last responded ${date}, ${SOURCES[source]}.`;
export const lastFailed = (date: string) => `Our last try was ${date}; Amazon did not respond.`;

export const checkNow = "Check now";
export const checking = "Checking…";
export const checkFinished = "Checked just now.";
export const checkFailed = "Amazon did not respond. We try again later.";
export const checkIsQueued = "The check takes longer. You will see its result here later.";
export const nothingToCheck = "This product was checked less than a minute ago.";
export const failedToCheck = "Failed to check the link. Please try again.";
