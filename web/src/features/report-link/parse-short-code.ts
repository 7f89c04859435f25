import { SHORT_CODE_PATTERN } from "@tapthru/proto/redirect/short-code";
import { SHORT_LINK_PATH_PREFIX } from "@tapthru/proto/rules/limits";

/** Extracts the short code from input: a code alone, or a short link of this host. */
export function parseShortCode(text: string, host: string): string | null {
  const typed = text.trim().toLowerCase();
  const [before = "", after] = typed.split(host.toLowerCase() + SHORT_LINK_PATH_PREFIX, 2);
  const isOtherHost = after !== undefined && /[\w.-]$/.test(before);
  if (isOtherHost) return null;
  const [code = ""] = (after ?? before).split(/[/?#]/, 1);
  return SHORT_CODE_PATTERN.test(code) ? code : null;
}
