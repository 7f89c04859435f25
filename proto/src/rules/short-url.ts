import { splitShortCode } from "../redirect/short-code.ts";
import { SHORT_LINK_PATH_PREFIX } from "./limits.ts";

/**
 * The address of a short link, which on an own domain is `https://host/name`.
 * @param publicBaseUrl without a trailing slash
 */
export function shortUrl(publicBaseUrl: string, shortCode: string): string {
  const { name, host } = splitShortCode(shortCode);
  if (host !== null) return `https://${host}/${name}`;
  return `${publicBaseUrl}${SHORT_LINK_PATH_PREFIX}${name}`;
}

const DOTS_LENGTH = 3;

/**
 * A short URL as people read it: without scheme, and its host shortened so that both have at most `maxLength`
 * characters. The path, which has the code, is never cut.
 */
export function readableShortUrl(url: string, maxLength: number): { host: string; path: string } {
  const { host, pathname: path } = new URL(url);
  const space = maxLength - path.length;
  if (host.length <= space) return { host, path };
  const start = host.slice(0, Math.max(0, space - DOTS_LENGTH));
  // A dot of the host would read as a fourth one.
  return { host: `${start.replace(/\.$/, "")}...`, path };
}
