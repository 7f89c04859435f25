/** The violations of Amazon's rules (texts of 2026-04-14), worst first, and what to do about each. */
export const VIOLATIONS = {
  "amazon-in-name": ["“Amazon” in a name", "It is a trademark: use another domain or name."],
  "tag-for-assistants": ["Assistants get your tag", "Amazon allows no affiliate links in generative AI: turn it off."],
  "tag-in-mail": ["A tagged link was opened from email", "Use ‘Copy for email’, whose link has no tag."],
  "tag-in-ads": ["A tagged link was opened from ads", "Amazon may not pay for such sales: advertise without the tag."],
  "tag-in-qr-code": ["A QR code has a tag", "Print the code of the link without a tag."],
  "no-disclosure": [
    "The page that opens the app does not say that you earn",
    "Turn on Amazon’s sentence in your profile, unless it is where your links are. It does not count as a violation.",
  ],
  "several-tags": ["A link has two tags that earn", "Amazon allows one: choose it, and remove the other."],
  "wrong-tag": ["The tag does not belong to this store", "It earns nothing there: use the tag of the store."],
  "dead-product": ["The product is gone", "Change the destination, or give the link a page for ended links."],
} as const satisfies Record<string, readonly [title: string, advice: string]>;
export type ViolationKind = keyof typeof VIOLATIONS;
/** A disclosure may also be where the links are. */
export const isCertain = (kind: ViolationKind): boolean => kind !== "no-disclosure";
export const VIOLATION_KINDS = Object.keys(VIOLATIONS) as [ViolationKind, ...ViolationKind[]];
