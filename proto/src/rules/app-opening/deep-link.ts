/**
 * The address of the /redirect page, which opens the Amazon app.
 * @param publicBaseUrl origin without a trailing slash
 * @param originalUrl as pasted; well-formed Unicode, as parseAmazonUrl requires
 */
export function buildDeepLink(
  publicBaseUrl: string,
  productId: string,
  originalUrl: string,
): string {
  const id = encodeURIComponent(productId);
  return `${publicBaseUrl}/redirect?product_id=${id}&original_url=${encodeURIComponent(originalUrl)}`;
}
