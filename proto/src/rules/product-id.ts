import { isAsin } from "./asin.ts";

export const PRODUCT_ID_PATTERN: RegExp = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/**
 * The product id of a page that is no product: its first part with letters or digits, what the
 * pattern forbids replaced by hyphens, or `amazon`. A part that would read as an ASIN (author ids do)
 * becomes `page-<part>`, so that nobody takes it for a product.
 */
export function pageProductId(parts: readonly string[]): string {
  const id = parts.map(toId).find((part) => part !== "") ?? "amazon";
  return isAsin(id) ? `page-${id}` : id;
}

function toId(part: string): string {
  return part
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "")
    .slice(0, 128);
}
