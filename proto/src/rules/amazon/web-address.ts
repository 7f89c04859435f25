import { URL_MAX_BYTES } from "../limits.ts";

export interface WebAddress {
  /** The host in lower case. */
  host: string;
  /** Path and query as typed, with non-ASCII characters percent-encoded as UTF-8. */
  pathAndQuery: string;
  /** The path as typed, without the query. */
  typedPath: string;
  /** The path as a browser requests it, without dot segments. */
  path: string;
  /** The query as a browser sends it: "?…", or empty. */
  search: string;
}

/**
 * Parses a complete http or https address without changing its bytes, unlike the URL parser. Returns null where the
 * text and the URL parser might disagree about the host: user info, other ports, IP addresses, backslashes, blanks,
 * control characters and unpaired surrogates.
 */
export function parseWebAddress(text: string): WebAddress | null {
  if (text.length > URL_MAX_BYTES || /[\p{Cc}\p{Cs} \\]/u.test(text)) return null;
  const [, scheme, authority, rest] = /^(https?):\/\/([^/?#]*)([^#]*)/i.exec(text) ?? [];
  if (scheme === undefined || authority === undefined || rest === undefined) return null;

  const ownPort = scheme.length === 4 ? ":80" : ":443";
  const name = authority.endsWith(ownPort) ? authority.slice(0, -ownPort.length) : authority;
  if (!/^[a-z0-9.-]+$/i.test(name)) return null;
  const host = name.toLowerCase();

  const pathAndQuery = rest.replace(/\P{ASCII}+/gu, encodeURIComponent);
  const url = parseUrl(`https://${host}${pathAndQuery}`);
  if (url?.hostname !== host) return null;
  const [typedPath = ""] = pathAndQuery.split("?");
  return { host, pathAndQuery, typedPath, path: url.pathname, search: url.search };
}

/** URL.parse is missing in browsers before 2024. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
