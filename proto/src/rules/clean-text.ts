/** Returns one line without control characters and text direction controls. @param maxLength in code points @returns null if nothing visible is left */
export function cleanText(text: string, maxLength: number): string | null {
  const line = text
    .toWellFormed()
    .replace(/(?!\s)\p{Cc}|\p{Bidi_Control}/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  const cut = Array.from(line).slice(0, maxLength).join("").trimEnd();
  return /[^\p{C}\p{Z}]/u.test(cut) ? cut : null;
}
