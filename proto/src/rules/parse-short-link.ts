import { SHORT_LINK_PATH_PREFIX } from "./limits.ts";
import { DOMAIN_PATTERN, NAME_PATTERN, SHORT_CODE_PATTERN, shortCodeOf } from "./short-code.ts";

/** The code alone, or the first address of a link of this site or of a possible own domain. @param siteHost with its port, if any */
export function parseShortLink(text: string, siteHost: string): string | null {
  const typed = text.trim().toLowerCase();
  if (SHORT_CODE_PATTERN.test(typed)) return typed;
  const site = siteHost.toLowerCase();
  for (const word of typed.split(/\s+/)) {
    const code = codeOfAddress(word, site);
    if (code !== null) return code;
  }
  return null;
}

function codeOfAddress(word: string, siteHost: string): string | null {
  const address = word.replace(/^https?:\/\//, "").replace(/\/?(?:[?#].*)?$/s, "");
  const [host = "", ...parts] = address.split("/");
  const path = parts.join("/");
  if (host === siteHost) {
    const name = `/${path}`.replace(SHORT_LINK_PATH_PREFIX, "");
    return NAME_PATTERN.test(name) ? name : null;
  }
  if (!DOMAIN_PATTERN.test(host)) return null;
  const code = shortCodeOf(path, host);
  return SHORT_CODE_PATTERN.test(code) ? code : null;
}
