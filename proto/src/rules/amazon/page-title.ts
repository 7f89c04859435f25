import { cleanText } from "../clean-text.ts";
import { TITLE_MAX_LENGTH } from "../limits.ts";
import { isRef, splitPath } from "./amazon-path.ts";
import type { StorePage } from "./amazon-url.ts";

const searchFor = (words: string) => `Search: ${words}`;

const SEARCH = /^(?:s|gp\/search|gp\/aw\/s)(?:\/|$)/;

const TITLES: readonly [RegExp, string][] = [
  [/^$/, "Amazon start page"],
  [/^(?:gp\/)?cart(?:\/|$)/, "Amazon cart"],
  [/^gp\/bestsellers(?:\/|$)/, "Amazon bestsellers"],
  [/^gp\/goldbox(?:\/|$)/, "Amazon deals"],
  [/^hz\/wishlist(?:\/|$)/, "Amazon wish list"],
];

/**
 * The title of a page that has no metadata, from its address; null for other pages. A search has the words that were
 * searched for, which are untrusted text.
 */
export function pageTitle({ kind, webUrl }: StorePage): string | null {
  if (kind !== "other") return null;
  const { pathname, searchParams } = new URL(webUrl);
  const parts = splitPath(pathname).filter((part) => !isRef(part));
  const path = parts.join("/").toLowerCase();
  if (SEARCH.test(path)) return searchTitle(searchParams);
  return TITLES.find(([start]) => start.test(path))?.[1] ?? null;
}

function searchTitle(query: URLSearchParams): string {
  const typed = query.get("k") || query.get("field-keywords") || query.get("keywords") || "";
  const words = cleanText(typed, TITLE_MAX_LENGTH - searchFor("").length);
  return words === null ? "Amazon search" : searchFor(words);
}
