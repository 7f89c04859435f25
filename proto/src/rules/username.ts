/**
 * A user name as it is stored and shown: in NFKC, trimmed, without the controls of text direction, which could show
 * it as another name.
 */
export function cleanUsername(text: string): string {
  return text
    .replaceAll(/\p{Bidi_Control}/gu, "")
    .normalize("NFKC")
    .trim();
}

/** Characters that show nothing, tags (U+E0000 to U+E007F) included. The last two are blanks and no white space. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\uFFF9-\uFFFB\u2800]/gu;

/**
 * Two user names with the same key are the same name to a reader: they differ in case, in forms that NFKC unites, in
 * invisible characters or in the number of blanks. Letters of different scripts that look alike remain different.
 * Stored in `users.username_lookalike_key`: a change of this function needs a migration that empties the column.
 */
export function usernameLookalikeKey(username: string): string {
  return caseless(visible(caseless(visible(username))))
    .replaceAll(/\s+/gu, " ")
    .trim();
}

function visible(text: string): string {
  return text.normalize("NFKD").replaceAll(INVISIBLE, "").normalize("NFKC");
}

/** The upper case unites letters that have one lower case only ("ß", "ſ", "ı"); "ς" is a "σ" at the end of a word. */
function caseless(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
