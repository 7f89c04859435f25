import { SHORT_LINK_PATH_PREFIX } from "./limits.ts";
import { splitShortCode } from "./short-code.ts";

export function shortUrl(publicBaseUrl: string, shortCode: string): string {
  const { name, host } = splitShortCode(shortCode);
  if (host !== null) return `https://${host}/${name}`;
  return `${publicBaseUrl}${SHORT_LINK_PATH_PREFIX}${name}`;
}
