/** Bytes from which UTF-16 without a byte order mark is recognised. */
const SAMPLE_BYTES = 1_024;

/** By its byte order mark, or because every second byte is zero, as in Latin text; null if it is neither. */
export function utf16Encoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  let even = 0;
  let odd = 0;
  sample.forEach((byte, index) => {
    if (byte !== 0) return;
    if (index % 2 === 0) even++;
    else odd++;
  });
  const isMost = (zeros: number) => zeros > sample.length / 4;
  if (isMost(odd) && even < odd / 4) return "utf-16le";
  return isMost(even) && odd < even / 4 ? "utf-16be" : null;
}

/** The number of the first line of a row of CSV. @param lastLine the number of its last line */
export function firstLine(cells: readonly string[], lastLine: number): number {
  const breaks = cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
  return lastLine - breaks;
}
