import type { Escape } from "./app-opening.ts";

/**
 * The query parameter of a visit that has left an in-app browser: the visit is not counted again, and the page does
 * not offer to leave again.
 */
export const ESCAPED_PARAMETER = "tt_esc";

/** @param shortUrl with the visitor's parameters, if any @returns null if the in-app browser can be left only through its own menu */
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
