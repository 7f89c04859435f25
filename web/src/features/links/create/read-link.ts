import { parseAmazonUrl, parseNewDestination } from "@tapthru/proto/rules/amazon/amazon-url";
import { findAmazonUrl, findAmazonUrlList } from "@tapthru/proto/rules/amazon/find-amazon-url";
import { repairFoundUrl } from "@tapthru/proto/rules/amazon/repair-url";

export function readLink(text: string): { url: string } | { validationMessage: string } {
  const url = findAmazonUrl(text) ?? text;
  const parsed = parseNewDestination(url);
  return parsed.kind === "refused" ? { validationMessage: parsed.message } : { url };
}

/** Returns true if the address in a text should probably be another one. A link with text around it is read as it is. */
export function needsRepair(text: string): boolean {
  return repairFoundUrl(text) !== null;
}

export function containsLink(text: string): boolean {
  return "url" in readLink(text) || needsRepair(text);
}

/**
 * Finds a link that may be submitted while its text is still being typed: one that was inserted at once, for example
 * by autofill or by a keyboard's clipboard, or a typed one that is complete. A typed query is never complete: a pause
 * after `?tag=me` may come before `-20`. Nor is a page without a product: the first characters of a product's URL are
 * already a valid URL of another store page.
 */
export function findTypedLink(text: string, isInsertedWhole: boolean): string | null {
  const result = readLink(text);
  if (!("url" in result)) return null;
  const isComplete = !text.includes("?") && parseAmazonUrl(result.url).kind !== "other";
  return isInsertedWhole || isComplete ? result.url : null;
}

/** The links of a list, or the one Amazon link in a text. Empty if there is none. */
export function readLinks(text: string): string[] {
  const list = findAmazonUrlList(text);
  if (list.length > 0) return list;
  const url = findAmazonUrl(text);
  return url === null ? [] : [url];
}
