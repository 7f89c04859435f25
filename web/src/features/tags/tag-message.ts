import type { StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import type { TagHealth } from "@tapthru/proto/rules/amazon/tag-health";

export const TAG_MISSING = "This link has no tag, so you earn nothing from purchases.";

export function tagMessage(health: TagHealth, { marketplace }: Pick<StorePage, "marketplace">): string {
  switch (health.kind) {
    case "none":
      return TAG_MISSING;
    case "sound":
      return "Your tag is kept in the app and in every browser.";
    case "attribution":
      return "This is an Amazon Attribution tag. It reports to a seller and is not an Associates tag.";
    case "several":
      return "This link has more than one tag, and Amazon doesn't say which one counts.";
    case "onelink":
      return health.isServed
        ? `Amazon OneLink pays this tag on amazon.${marketplace}, as you said under Stores and tags.`
        : `This looks like a tag for amazon.com. It earns on amazon.${marketplace} only if you set up Amazon OneLink there.`;
    case "foreign":
      return `Tags for amazon.${marketplace} usually end in ${health.suffix}. A tag earns only in the store it was issued for.`;
    case "unusual":
      return "Tags usually end in a hyphen and a number from 20 to 23. Please check it for typing mistakes.";
  }
}
