import {
  isStorePage,
  parseAmazonUrl,
  type StorePage,
} from "@tapthru/proto/rules/amazon/amazon-url";

/** Parses a link's Amazon page. Null if the URL is not a store page. */
export function parseStorePage(url: string): StorePage | null {
  const parsed = parseAmazonUrl(url);
  return isStorePage(parsed) ? parsed : null;
}
