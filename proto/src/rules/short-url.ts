import { SHORT_LINK_PATH_PREFIX } from "./limits.ts";
import { splitShortCode } from "./short-code.ts";

/**
 * The address of a short link, which on an own domain is `https://host/name`.
 * @param publicBaseUrl without a trailing slash
 */
export function shortUrl(publicBaseUrl: string, shortCode: string): string {
  const { name, host } = splitShortCode(shortCode);
  if (host !== null) return `https://${host}/${name}`;
  return `${publicBaseUrl}${SHORT_LINK_PATH_PREFIX}${name}`;
}
