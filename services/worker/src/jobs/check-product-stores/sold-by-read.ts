import type { ReadResult } from "../scrape-metadata/source.ts";

/**
 * Whether a read of a product in a store found that the store sells it; a product that is out of stock counts as sold. Only
 * a response that names the product proves it, and only one that names another product, or says that the product does not
 * exist, proves the opposite.
 * @returns null if the read proves nothing, for example after a captcha
 */
export function soldByRead(result: ReadResult, asin: string): boolean | null {
  if (result.kind === "nothing") return result.outcome === "gone" ? false : null;
  return result.asin === undefined ? null : result.asin === asin;
}
