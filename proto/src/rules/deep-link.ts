/**
 * The address of our own page that opens the Amazon app.
 * @param publicBaseUrl origin without a slash at its end
 * @param originalUrl as it was pasted; well-formed text, as parseAmazonUrl demands
 */
export function buildDeepLink(
  publicBaseUrl: string,
  productId: string,
  originalUrl: string,
): string {
  const id = encodeURIComponent(productId);
  return `${publicBaseUrl}/redirect?product_id=${id}&original_url=${encodeURIComponent(originalUrl)}`;
}
