/**
 * Text of a page as we keep it: on one line, without control characters and without those that turn
 * the direction of what stands around them.
 * @param maxLength in characters; an emoji counts as one or more, never half
 * @returns null where nothing visible is left
 */
export function cleanText(text: string, maxLength: number): string | null {
  const line = text
    .toWellFormed()
    .replace(/(?!\s)\p{Cc}|\p{Bidi_Control}/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  const cut = Array.from(line).slice(0, maxLength).join("").trimEnd();
  return /[^\p{C}\p{Z}]/u.test(cut) ? cut : null;
}
