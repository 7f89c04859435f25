import type { StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import type { TagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { messages } from "@tapthru/proto/rules/messages";

export function tagMessage(
  health: TagHealth,
  { marketplace }: Pick<StorePage, "marketplace">,
): string {
  switch (health.kind) {
    case "none":
      return messages.tagMissing;
    case "sound":
      return messages.tagValid;
    case "attribution":
      return messages.tagAttribution;
    case "several":
      return messages.severalTags;
    case "onelink":
      return health.isServed
        ? messages.tagServedByOneLink(`amazon.${marketplace}`)
        : messages.tagNeedsOneLink(`amazon.${marketplace}`);
    case "foreign":
      return messages.tagForeign(`amazon.${marketplace}`, health.suffix);
    case "unusual":
      return messages.tagUnusual;
  }
}
