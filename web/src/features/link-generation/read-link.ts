import { parseAmazonUrl } from "@tapthru/proto/rules/amazon/amazon-url";
import { findAmazonUrl } from "@tapthru/proto/rules/amazon/find-amazon-url";
import { linkErrorMessage } from "@tapthru/proto/rules/link-errors";

/** Finds the Amazon link in a text, or returns a validation message. */
export function readLink(text: string): { url: string } | { validationMessage: string } {
  const url = findAmazonUrl(text) ?? text;
  const parsed = parseAmazonUrl(url);
  return parsed.kind === "refused" ? { validationMessage: linkErrorMessage(parsed) } : { url };
}

/**
 * Finds a complete link in a text that is still being typed. The first characters of a product's URL are already a
 * valid URL of another store page, so a page without a product counts as complete only if it was inserted at once,
 * for example by autofill or by a keyboard's clipboard.
 */
export function findCompleteLink(text: string, isInsertedWhole: boolean): string | null {
  const url = findAmazonUrl(text);
  if (!url) return null;
  const { kind } = parseAmazonUrl(url);
  if (kind === "refused") return null;
  return kind !== "other" || isInsertedWhole ? url : null;
}
