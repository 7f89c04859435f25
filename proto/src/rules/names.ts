/**
 * A name as stored and displayed: NFKC, trimmed, without text direction controls, which could display it as another
 * name.
 */
export function cleanName(text: string): string {
  return text
    .replaceAll(/\p{Bidi_Control}/gu, "")
    .normalize("NFKC")
    .trim();
}

/**
 * Equal for texts that differ in case only. Converting to upper case first unifies letters that share an upper-case form
 * ("ß", "ſ", "ı"); "ς" is a "σ" at the end of a word.
 */
export function caseless(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
