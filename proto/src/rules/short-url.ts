import { SHORT_LINK_PATH_PREFIX } from "./limits.ts";

/**
 * The address of a short link.
 * @param publicBaseUrl without a trailing slash
 */
export function shortUrl(publicBaseUrl: string, shortCode: string): string {
  return `${publicBaseUrl}${SHORT_LINK_PATH_PREFIX}${shortCode}`;
}
