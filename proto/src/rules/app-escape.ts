import type { Escape } from "./app-opening.ts";

/** Marks a request that came out of an in-app browser: it is neither led out nor counted again. */
export const ESCAPED_PARAMETER = "tt_esc";

/**
 * Leads a tap out of an in-app browser into the system's own, to the same short link.
 * @param shortUrl with the visitor's parameters, if any
 * @returns null where only the app's own menu leads out
 */
export function escapeUrl(kind: Escape, shortUrl: string): string | null {
  const url = `${shortUrl}${shortUrl.includes("?") ? "&" : "?"}${ESCAPED_PARAMETER}=1`;
  switch (kind) {
    case "safari":
      return `x-safari-${url}`;
    case "instagram":
      return `instagram://extbrowser/?url=${encodeURIComponent(url)}`;
    case "threads":
      return `barcelona://extbrowser/?url=${encodeURIComponent(url)}`;
    case "kakaotalk":
      return `kakaotalk://web/openExternal?url=${encodeURIComponent(url)}`;
    case "line":
      return `${url}&openExternalBrowser=1`;
    case "by-hand":
      return null;
  }
}
