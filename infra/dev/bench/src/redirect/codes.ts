/** Ten letters of the short-code alphabet, one for each digit of a link's number. */
export const KNOWN_CODE_LETTERS = "23456789ab";
/** Letters of codes without a link. */
export const UNKNOWN_LETTERS = "cdefghjkmn";

/** The short code of a link by its number, below 10^7. */
export function codeOf(number: number): string {
  const digits = String(number).padStart(7, "0");
  return digits.replace(/\d/g, (digit) => KNOWN_CODE_LETTERS.charAt(Number(digit)));
}

/** The destination of a link. */
export function urlOf(number: number): string {
  const asin = `B${String(number).padStart(9, "0")}`;
  return `https://www.amazon.com/dp/${asin}?tag=tapthru-20&th=1&psc=1`;
}
