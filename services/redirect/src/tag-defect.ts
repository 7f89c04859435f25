import type { Unpaid } from "@tapthru/proto/clicks/keys";
import type { OwnerRecord } from "@tapthru/proto/redirect/owner";
import type { Destination } from "@tapthru/proto/rules/amazon/amazon-url";
import { isMarketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";

export type TagDefect = Extract<Unpaid, "store" | "tag">;

/** Why the tag of an address earns nothing for the owner; null: it may earn. */
export function tagDefect(page: Destination, { channels, oneLink }: OwnerRecord): TagDefect | null {
  const own = Object.values(channels).flatMap(({ tags }) => tags[page.marketplace] ?? []);
  const health = tagHealth(page, oneLink.filter(isMarketplace));
  switch (health.kind) {
    case "none":
      return own.length > 0 ? "tag" : "store";
    case "foreign":
      return "store";
    case "onelink":
      return health.isServed ? null : "store";
    case "several":
    case "misplaced":
      return "tag";
    case "placeholder":
      return own.includes(health.tag) ? null : "tag";
    // Tags of other forms exist.
    case "unusual":
    case "attribution":
    case "sound":
      return null;
  }
}
