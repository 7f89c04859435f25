export const ASIN: RegExp = /^(?:B[0-9A-Z]{9}|[0-9]{9}[0-9X])$/;
const ASIN_ANY_CASE = new RegExp(ASIN.source, "i");

/** Upper case only: a lower-case storefront handle such as `beautytips` is not an ASIN. */
export function isAsin(text: string): boolean {
  return ASIN.test(text);
}

/**
 * The ASIN, or the ISBN-10 of a book, that is a whole path segment. Longer segments are never cut, except where parameters
 * follow: behind an `&`, or behind the encoded `?` of links of the old product API.
 * @returns in upper case
 */
export function parseAsin(part: string): string | null {
  const asin = part.replace(/(?:[&;]|%(?:25){0,3}(?:3f|26)).*/i, "");
  return ASIN_ANY_CASE.test(asin) ? asin.toUpperCase() : null;
}

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
