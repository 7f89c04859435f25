/** Names of files may have line breaks, and cutting may divide a character; the api refuses both. */
export function sendableName(name: string): string {
  return name.slice(0, 200).replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, " ");
}
