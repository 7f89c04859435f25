import { isStorePage, parseAmazonUrl, type StorePage } from "@tapthru/proto/rules/amazon-url";

/** The Amazon page that a link leads to; null for what no link can have been made of. */
export function parseStorePage(url: string): StorePage | null {
  const parsed = parseAmazonUrl(url);
  return isStorePage(parsed) ? parsed : null;
}
