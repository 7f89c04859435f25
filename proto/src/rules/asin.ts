const ASIN = /^(?:B[0-9A-Z]{9}|[0-9]{9}[0-9X])$/;
const ASIN_ANY_CASE = new RegExp(ASIN.source, "i");

/** Strict, as we print it: a lower-case storefront handle such as `beautytips` is not one. */
export function isAsin(text: string): boolean {
  return ASIN.test(text);
}

/**
 * The ASIN, or the ISBN-10 that a book has for one, that a whole path part is. Longer parts are
 * never cut, but for the encoded `?` that links of the old product API hold in their path.
 * @returns in upper case
 */
export function parseAsin(part: string): string | null {
  const asin = part.replace(/%3F.*/i, "");
  return ASIN_ANY_CASE.test(asin) ? asin.toUpperCase() : null;
}
