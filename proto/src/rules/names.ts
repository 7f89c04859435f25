/** A text as stored and displayed: trimmed, without text direction controls, which could display it as another text. */
export function cleanLine(text: string): string {
  return text.replaceAll(/\p{Bidi_Control}/gu, "").trim();
}

/** A name that is compared with others: also in NFKC. */
export function cleanName(text: string): string {
  return cleanLine(text).normalize("NFKC").trim();
}

/**
 * Equal for texts that differ in case only. Converting to upper case first unifies letters that share an upper-case form
 * ("ß", "ſ", "ı"); "ς" is a "σ" at the end of a word.
 */
export function caseless(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
