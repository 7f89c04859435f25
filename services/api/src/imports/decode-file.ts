/** Bytes from which UTF-16 without a byte order mark is recognised. */
const SAMPLE_BYTES = 1_024;

/**
 * Decodes a text file: by its byte order mark, else UTF-16 if it looks like it, else UTF-8 if it is valid, else
 * Windows-1252, which includes Latin-1. NUL characters are removed, because Postgres cannot store them.
 */
export function decodeFile(bytes: Uint8Array): string {
  return decode(bytes).replaceAll("\0", "");
}

function decode(bytes: Uint8Array): string {
  const utf16 = utf16Encoding(bytes);
  if (utf16 !== null) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function utf16Encoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
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
  // Every second byte of Latin text in UTF-16 is zero; addresses are Latin text.
  const isMost = (zeros: number) => zeros > sample.length / 4;
  if (isMost(odd) && even < odd / 4) return "utf-16le";
  return isMost(even) && odd < even / 4 ? "utf-16be" : null;
}
