import { parseAmazonUrl } from "@tapthru/proto/rules/amazon-url";
import { findAmazonUrl } from "@tapthru/proto/rules/find-amazon-url";
import { linkErrorMessage } from "@tapthru/proto/rules/link-errors";

/** The Amazon link in a text, or what to say where there is none. */
export function readLink(text: string): { url: string } | { validationMessage: string } {
  const url = findAmazonUrl(text) ?? text;
  const parsed = parseAmazonUrl(url);
  return parsed.kind === "refused" ? { validationMessage: linkErrorMessage(parsed) } : { url };
}

/**
 * The link in a text that is still being typed, once it is whole. Each beginning of a product's
 * address is some page of the store, so typed letter by letter such pages never count as whole;
 * what arrived in one piece (autofill, a keyboard's clipboard) does.
 */
export function findCompleteLink(text: string, isInsertedWhole: boolean): string | null {
  const url = findAmazonUrl(text);
  if (!url) return null;
  const { kind } = parseAmazonUrl(url);
  if (kind === "refused") return null;
  return kind !== "other" || isInsertedWhole ? url : null;
}
