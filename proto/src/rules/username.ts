import { caseless } from "./names.ts";

/** Invisible characters, tags (U+E0000 to U+E007F) included. The last two are blank but not white space. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\uFFF9-\uFFFB\u2800]/gu;

/**
 * Two user names with the same key look the same: they differ in case, in forms that NFKC unites, in invisible
 * characters or in the number of blanks. Similar letters of different scripts remain different.
 * Stored in `users.username_lookalike_key`: changing this function requires a migration that empties the column.
 */
export function usernameLookalikeKey(username: string): string {
  return caseless(visible(caseless(visible(username))))
    .replaceAll(/\s+/gu, " ")
    .trim();
}

function visible(text: string): string {
  return text.normalize("NFKD").replaceAll(INVISIBLE, "").normalize("NFKC");
}
