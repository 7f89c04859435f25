import { findAmazonUrl } from "@tapthru/proto/rules/amazon/find-amazon-url";

/** Apps put the address of a page into any of these, with other words around it. */
const PARAMETERS = ["url", "text", "title"];

/** What was shared with the site: the Amazon link in it, otherwise the whole text. Empty if nothing was shared. */
export function sharedText(search: string): string {
  const params = new URLSearchParams(search);
  const text = PARAMETERS.map((name) => params.get(name)?.trim())
    .filter(Boolean)
    .join(" ");
  return findAmazonUrl(text) ?? text;
}
