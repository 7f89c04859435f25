const ASIN = /^(?:B[0-9A-Z]{9}|[0-9]{9}[0-9X])$/;
const ASIN_ANY_CASE = new RegExp(ASIN.source, "i");

/** Upper case only: a lower-case storefront handle such as `beautytips` is not an ASIN. */
export function isAsin(text: string): boolean {
  return ASIN.test(text);
}

/**
 * The ASIN, or the ISBN-10 of a book, that is a whole path segment. Longer segments are never cut, except at the encoded
 * `?` that links of the old product API contain.
 * @returns in upper case
 */
export function parseAsin(part: string): string | null {
  const asin = part.replace(/%3F.*/i, "");
  return ASIN_ANY_CASE.test(asin) ? asin.toUpperCase() : null;
}
