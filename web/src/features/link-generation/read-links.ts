import { findAmazonUrl, findAmazonUrlList } from "@tapthru/proto/rules/amazon/find-amazon-url";

/** The links of a list, or the one Amazon link in a text. Empty if there is none. */
export function readLinks(text: string): string[] {
  const list = findAmazonUrlList(text);
  if (list.length > 0) return list;
  const url = findAmazonUrl(text);
  return url === null ? [] : [url];
}
