import { URL_MAX_BYTES } from "../limits.ts";
import { parseAmazonUrl } from "./amazon-url.ts";

/** Most words are shorter than a line that a mail program broke. */
const BROKEN_LINE_MIN_LENGTH = 30;

/**
 * Joins the words of a text that are one product link, which a line break or a blank cut: words that make a product's
 * link of that of another page, and words that add parameters to a product's link.
 * @param urlIn finds the address in a word
 */
export function joinBrokenLinks(words: readonly string[], urlIn: (word: string) => string | null): string[] {
  const joined: string[] = [];
  for (let at = 0; at < words.length; at++) {
    let link = words[at] ?? "";
    let longer = link;
    for (let next = at + 1; next < words.length; next++) {
      const url = urlIn(link);
      const part = words[next] ?? "";
      longer += part;
      if (url === null || urlIn(part) !== null || longer.length > URL_MAX_BYTES) break;
      if (isCut(url, part, urlIn(longer) ?? "")) {
        link = longer;
        at = next;
      } else if (part.length < BROKEN_LINE_MIN_LENGTH) break;
    }
    joined.push(link);
  }
  return joined;
}

function isCut(url: string, part: string, longerUrl: string): boolean {
  const before = parseAmazonUrl(url);
  const after = parseAmazonUrl(longerUrl);
  if (after.kind !== "product") return false;
  if (before.kind === "other") return true;
  if (before.kind !== "product" || before.asin !== after.asin) return false;
  const addsTag = !endsAsTag(before) && endsAsTag(after);
  return addsTag || /[?&][\w.-]+=/.test(part);
}

function endsAsTag({ tag }: { tag: string | null }): boolean {
  return tag !== null && /-2\d$/.test(tag);
}
