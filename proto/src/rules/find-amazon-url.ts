import { parseAmazonUrl } from "./amazon-url.ts";

/**
 * Picks the Amazon link out of pasted text: without its scheme, between other words, in quotes or
 * brackets, at the end of a sentence. An address inside another address is never picked.
 * @returns a whole address for parseAmazonUrl, its bytes as they were pasted: the first link it takes,
 *   else the first it refuses for a reason worth telling; null where there is neither
 */
export function findAmazonUrl(text: string): string | null {
  let worthTelling: string | null = null;
  for (const word of text.split(/\s+/)) {
    const url = urlIn(word);
    if (url === null) continue;
    const parsed = parseAmazonUrl(url);
    if (parsed.kind !== "refused") return url;
    if (parsed.code !== "not-an-amazon-link") worthTelling ??= url;
  }
  return worthTelling;
}

/** Marks that may touch a link on its left: brackets, quotes, emoji, invisible characters. */
const LEADING_MARKS = /^(?:["'*<]|\p{VS}|(?!\p{ASCII})\p{Po}|[\p{Ps}\p{Pi}\p{Pf}\p{So}\p{Cf}])+/u;

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
const TRAILING_MARK =
  /^(?:["'*<>.,;:!?]|\p{VS}|(?!\p{ASCII})[\p{Po}\p{Sk}]|[\p{Pe}\p{Pi}\p{Pf}\p{So}\p{Cf}])$/u;

/** Cuts the punctuation of the sentence around it; a bracket stays where the link itself opened it. */
function withoutTrailingMarks(url: string): string {
  const characters = Array.from(url);
  const count = new Map<string, number>();
  for (const character of characters) count.set(character, (count.get(character) ?? 0) + 1);

  let end = characters.length;
  for (; end > 0; end--) {
    const last = characters[end - 1] ?? "";
    const opening = CLOSING_BRACKETS[last];
    if (opening === undefined ? !TRAILING_MARK.test(last) : isBalanced(count, opening, last)) break;
    count.set(last, (count.get(last) ?? 0) - 1);
  }
  return characters.slice(0, end).join("");
}

function isBalanced(count: Map<string, number>, opening: string, closing: string): boolean {
  return (count.get(closing) ?? 0) <= (count.get(opening) ?? 0);
}
