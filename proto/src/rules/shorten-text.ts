/** @param maxLength in code points, excluding the three dots */
export function shortenText(text: string, maxLength: number): string {
  const characters = Array.from(text);
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join("")}...` : text;
}
