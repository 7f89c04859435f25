import { parseStorePage } from "./amazon-url.ts";
import { editParameters, isCart } from "./earning-tags.ts";
import { parseAsin } from "./product-id.ts";
import { readableAddress, TAG_ANYWHERE } from "./readable-address.ts";
import { tagsOf } from "./tag-health.ts";
import { saysWhoIsPaid } from "./visitor-query.ts";

/**
 * The address of the same page without tags and other parameters of affiliates; instead of a cart, which needs a tag, its first product
 * or the start page of the store.
 * @param webUrl of a store page, without a fragment
 */
export function removeTag(webUrl: string): string {
  const { pathname, origin } = new URL(webUrl);
  if (isCart(pathname)) return productOfCart(webUrl) ?? `${origin}/`;
  const plain = editParameters(readableAddress(webUrl) ?? webUrl, (parameters) =>
    parameters.filter((each) => !saysWhoIsPaid(each) && !TAG_ANYWHERE.test(each)),
  );
  const page = parseStorePage(plain);
  // Old addresses have the tag in their path.
  return page !== null && tagsOf(page).length > 0 ? (page.canonicalUrl ?? `${origin}${pathname}`) : plain;
}

export function opensWithoutTag(webUrl: string): boolean {
  return !isCart(new URL(webUrl).pathname) || productOfCart(webUrl) !== null;
}

/** The page of the first product that a cart names, as `ASIN.1=`. */
function productOfCart(webUrl: string): string | null {
  const { origin, searchParams } = new URL(webUrl);
  const [asin] = [...searchParams].flatMap(([name, value]) => (/^asin\b/i.test(name) && parseAsin(value)) || []);
  return asin ? `${origin}/dp/${asin}` : null;
}
