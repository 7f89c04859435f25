import { isAsin } from "./asin.ts";

export const PRODUCT_ID_PATTERN: RegExp = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/**
 * The product id of a page that is not a product: its first segment with letters or digits, with characters outside the
 * pattern replaced by hyphens, or `amazon`. A segment that looks like an ASIN (author ids do) becomes `page-<segment>`, so
 * that it is not taken for a product.
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
