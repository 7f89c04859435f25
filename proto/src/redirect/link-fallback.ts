import * as z from "zod/mini";
import { TAG_PATTERN } from "../rules/amazon/add-tag.ts";
import { type Destination, storeDestination } from "../rules/amazon/amazon-url.ts";
import { setTag } from "../rules/amazon/set-tag.ts";

/** What opens in place of the destination once the link has expired or its product is gone. */
export const LinkFallback = z.object({
  webUrl: z.string(),
  /** That of the link's channel in the store of the fallback; null: the address stays as it is. */
  tag: z.nullable(z.string().check(z.regex(TAG_PATTERN))),
  isProductGone: z.boolean(),
});
export type LinkFallback = z.infer<typeof LinkFallback>;

/** The page of the fallback with its tag; null if it is not one of an Amazon store. */
export function fallbackDestination({ webUrl, tag }: LinkFallback): Destination | null {
  return storeDestination((tag === null ? null : setTag(webUrl, tag)) ?? webUrl);
}
