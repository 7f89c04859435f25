import { parseStorePage } from "./amazon-url.ts";
import { readableAddress, TAG_ANYWHERE } from "./readable-address.ts";
import { tagsOf } from "./tag-health.ts";
import { isNeverPassedOn } from "./visitor-query.ts";

/**
 * The address of the same page without tags and other parameters of affiliates.
 * @param webUrl of a store page, without a fragment
 */
export function removeTag(webUrl: string): string {
  const [path = "", ...queries] = (readableAddress(webUrl) ?? webUrl).split("?");
  const kept = queries
    .join("?")
    .split("&")
    .filter((parameter) => parameter !== "" && !isNeverPassedOn(parameter) && !TAG_ANYWHERE.test(parameter));
  const plain = kept.length === 0 ? path : `${path}?${kept.join("&")}`;
  const page = parseStorePage(plain);
  // Old addresses have the tag in their path.
  return page !== null && tagsOf(page).length > 0 ? (page.canonicalUrl ?? path) : plain;
}
