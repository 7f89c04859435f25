import { parseAmazonUrl } from "./amazon-url.ts";
import { OTHER_TAG_NAMES } from "./earning-tags.ts";
import { joinBrokenLinks } from "./join-broken-links.ts";

/**
 * Finds the Amazon link in pasted text: without a scheme, between other words, in quotes or brackets, at the end of a
 * sentence, or cut by a line break. Never returns an address inside another address.
 * @returns a complete address for parseAmazonUrl, with unchanged bytes: the first valid link, else the first that is
 *   refused for a specific reason; null if there is neither
 */
export function findAmazonUrl(text: string): string | null {
  let refused: string | null = null;
  for (const word of joinBrokenLinks(wordsOf(text), urlIn)) {
    const url = urlIn(word);
    if (url === null) continue;
    const parsed = parseAmazonUrl(url);
    if (parsed.kind !== "refused") return url;
    if (parsed.code !== "not-an-amazon-link") refused ??= url;
  }
  return refused;
}

/**
 * Finds the links of a pasted list, each once, in their order: Amazon links, and other addresses with a scheme, so that
 * each of these gets a validation message.
 * @returns complete addresses for parseAmazonUrl; empty if the text contains fewer than two valid Amazon links
 */
export function findAmazonUrlList(text: string): string[] {
  const urls = new Set<string>();
  let validCount = 0;
  for (const word of joinBrokenLinks(wordsOf(text), urlIn)) {
    const url = urlIn(word);
    if (url === null || urls.has(url)) continue;
    const parsed = parseAmazonUrl(url);
    const isValid = parsed.kind !== "refused";
    if (isValid) validCount += 1;
    const isMeant = isValid || parsed.code !== "not-an-amazon-link" || /https?:/i.test(word);
    if (isMeant) urls.add(url);
  }
  return validCount < 2 ? [] : [...urls];
}

/** A search whose words have blanks between them, up to its last parameter: `?k=desk lamp&i=garden tools&tag=…`. */
const SEARCH_WITH_BLANKS =
  /([?&](?:k|field-keywords|rh)=\S{0,500})((?:[^\S\r\n]{1,3}(?!\S*:\/\/)\S{1,100}){0,20}[^\S\r\n]{1,3}(?!\S*:\/\/)\S{0,100}&[\w.-]{1,40}=)/gi;

/** Signs that programs write for a hyphen, with those that Windows-1252 has at 96 and 97. */
export const DASH = "[\\p{Pd}\\u0096\\u0097\\u00ad\\u02d7\\u2043\\u207b\\u208b\\u2212\\u2500\\u30fc\\uff70]";
const SPACED_DASH = `\\s{0,3}(?:${DASH}{1,3}|(?:%[\\da-f]{2}){1,9}|&[\\w#]{1,8};)\\s{0,3}`;
/** A tag with blanks around its hyphen: `tag=anna – 21`. */
const SPACED_TAG = new RegExp(
  `(?<=[?&](?:${OTHER_TAG_NAMES})=)[\\w.]{1,64}(?:${SPACED_DASH}[\\w.]{1,64}){0,3}?${SPACED_DASH}2\\d(?![\\w%])`,
  "giu",
);

/** The text with `%20` for the blanks within a search, and without those within a tag. */
export function joinSearch(text: string): string {
  return text
    .replace(SEARCH_WITH_BLANKS, (_, start: string, words: string) => start + encodeBlanks(words))
    .replace(SPACED_TAG, (tag) => tag.replaceAll(/\s/g, ""));
}

export function encodeBlanks(text: string): string {
  return text.replace(/%(?![\da-f]{2})/gi, "%25").replace(/\s+/g, "%20");
}

const wordsOf = (text: string) => joinSearch(text).split(/\s+/);

export function addressesIn(text: string): string[] {
  return text.split(/\s+/).flatMap((word) => urlIn(word) ?? []);
}

/** Characters that may directly precede a link: brackets, quotes, emoji, invisible characters. */
const LEADING_MARKS = /^(?:["'`*~|<]|\p{VS}|(?!\p{ASCII})\p{Po}|[\p{Ps}\p{Pi}\p{Pf}\p{So}\p{Cf}])+/u;

function urlIn(word: string): string | null {
  const start = word.search(/https?:\/\//i);
  if (start !== -1 && !/[/=?&#%@\\]/.test(word.slice(0, start))) {
    return withoutTrailingMarks(word.slice(start));
  }
  const bare = word.replace(LEADING_MARKS, "");
  // Without a path it is a name in a sentence: "I found it on amazon.com".
  const isAddress = /^[A-Z0-9-]+(?:\.[A-Z0-9-]+)+(?::[0-9]+)?[/?]./i.test(bare);
  return isAddress ? `https://${withoutTrailingMarks(bare)}` : null;
}

const CLOSING_BRACKETS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
const TRAILING_MARK = /^(?:["'`*~|<>.,;:!?]|\p{VS}|(?!\p{ASCII})[\p{Po}\p{Sk}]|[\p{Pe}\p{Pi}\p{Pf}\p{So}\p{Cf}])$/u;

/** The end of a link's name in Markdown, of a link in BBCode, and of a string in JSON. Some searches have quotes: `k=24"+lamp`. */
const MARKUP_END = /(?:\]\(<?https?:|\[\/|"(?:[}\]]|,["{[])).*/is;

/**
 * Removes punctuation that belongs to the surrounding sentence. Keeps a closing bracket that the link itself
 * opened.
 */
function withoutTrailingMarks(url: string): string {
  const characters = Array.from(url.replace(MARKUP_END, ""));
  const counts = new Map<string, number>();
  const countOf = (bracket: string) => counts.get(bracket) ?? characters.filter((each) => each === bracket).length;
  let end = characters.length;
  for (; end > 0; end--) {
    const last = characters[end - 1] ?? "";
    const opening = CLOSING_BRACKETS[last];
    if (opening === undefined ? !TRAILING_MARK.test(last) : countOf(last) <= countOf(opening)) break;
    if (opening !== undefined) counts.set(opening, countOf(opening)).set(last, countOf(last) - 1);
  }
  return characters.slice(0, end).join("");
}
