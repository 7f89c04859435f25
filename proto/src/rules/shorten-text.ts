/** @param maxLength in characters, without the three dots; an emoji counts as one or more, never half */
export function shortenText(text: string, maxLength: number): string {
  const characters = Array.from(text);
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join("")}...` : text;
}
