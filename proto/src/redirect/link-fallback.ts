import * as z from "zod/mini";
import { TAG_PATTERN } from "../rules/amazon/add-tag.ts";
import { type Destination, storeDestination } from "../rules/amazon/amazon-url.ts";
import { setTag } from "../rules/amazon/set-tag.ts";

/** What opens instead of the destination before the link starts, and once it has expired or its product is gone. */
export const LinkFallback = z.object({
  webUrl: z.string(),
  /** That of the link's channel in the store of the fallback; null: the address stays as it is. */
  tag: z.nullable(z.string().check(z.regex(TAG_PATTERN))),
  isProductGone: z.boolean(),
});
export type LinkFallback = z.infer<typeof LinkFallback>;

export type FallbackPage = Destination & Pick<LinkFallback, "isProductGone">;

/** The page of the fallback with its tag; null if it is not one of an Amazon store. */
export function fallbackPageOf({ webUrl, tag, isProductGone }: LinkFallback): FallbackPage | null {
  const page = storeDestination((tag === null ? null : setTag(webUrl, tag)) ?? webUrl);
  return page && { ...page, isProductGone };
}

/** What a link opens before anything depends on the visitor: its fallback while it is closed, or if its product is gone; null: nothing. */
export function openedPage<Page>(
  own: Page,
  fallback: FallbackPage | null | undefined,
  isClosed: boolean,
): Page | FallbackPage | null {
  if (fallback && (isClosed || fallback.isProductGone)) return fallback;
  return isClosed ? null : own;
}
