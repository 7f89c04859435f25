/** A text as stored and displayed: trimmed, without text direction controls, which could display it as another text. */
export function cleanLine(text: string): string {
  return text.replaceAll(/\p{Bidi_Control}/gu, "").trim();
}

/** A name as emails show it: without what mail programs take for an address and turn into a link. */
export const nameInEmail = (name: string) => name.replaceAll(/(?:[/:]|[.。](?=\p{L}))+/gu, " ");

export function cleanName(text: string): string {
  return normalized("NFKC", cleanLine(text)).trim();
}

/** In characters. Longer than the normalized form of any valid name. */
const NORMALIZED_MAX_LENGTH = 2_000;

/** A longer text, which every limit refuses, is unchanged: the time grows with the square of a run of combining marks. */
export function normalized(form: "NFKC" | "NFKD", text: string): string {
  return text.length > NORMALIZED_MAX_LENGTH ? text : text.normalize(form);
}

/**
 * Equal for texts that differ in case only. Converting to upper case first unifies letters that share an upper-case form
 * ("ß", "ſ", "ı"); "ς" is a "σ" at the end of a word.
 */
export function caseless(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** Invisible characters, tags (U+E0000 to U+E007F) included. The last two are blank but not white space. */
export const INVISIBLE: RegExp = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\uFFF9-\uFFFB\u2800]/gu;

/**
 * Two user names with the same key look the same: they differ in case, in forms that NFKC unites, in invisible
 * characters or in the number of blanks. Similar letters of different scripts remain different: see `mixesAlphabets`.
 * Stored in `users.username_lookalike_key`: changing this function requires a migration that empties the column.
 */
export function usernameLookalikeKey(username: string): string {
  return caseless(visible(caseless(visible(username))))
    .replaceAll(/\s+/gu, " ")
    .trim();
}

const MIXED = /(?<![\p{L}\p{M}])(?=[\p{L}\p{M}]*\p{Script=Latin})[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Returns true for a word with Latin letters beside Cyrillic or Greek ones, which may look like them. */
export const mixesAlphabets = (name: string) => MIXED.test(usernameLookalikeKey(name));

function visible(text: string): string {
  return normalized("NFKC", normalized("NFKD", text).replaceAll(INVISIBLE, ""));
}
