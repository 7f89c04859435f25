/** A link with all kinds of parameters that could get lost: the tag, unusual escapes, no value. */
export const PRODUCT = "https://www.amazon.com/dp/B0CX23V2ZK?tag=me-20&x=%c3%89t%C3%A9+a%20b&y&th=1";

let products = 0;

/** A product without any links. */
export function newProduct(): { asin: string; url: string } {
  products += 1;
  const asin = `B0${Date.now().toString(36).slice(-5).toUpperCase()}${String(products).padStart(3, "0")}`;
  return { asin, url: `https://www.amazon.com/dp/${asin}?tag=me-20` };
}
