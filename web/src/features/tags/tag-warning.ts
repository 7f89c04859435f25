import { tag as tagSchema } from "@tapthru/proto/fields";
import type { StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { tagHealthIn } from "@tapthru/proto/rules/amazon/tag-health";
import * as z from "zod/mini";
import { tagMessage } from "./tag-message.ts";

/** What is unusual about a valid tag in a store. Such tags exist. */
export function tagWarning(
  text: string,
  page: Pick<StorePage, "marketplace">,
  served: readonly OneLinkStore[] | undefined,
): string | null {
  const { data: tag } = z.safeParse(tagSchema, text);
  if (tag === undefined) return null;
  const health = tagHealthIn(page.marketplace, tag, served);
  return health.kind === "sound" ? null : tagMessage(health, page);
}
