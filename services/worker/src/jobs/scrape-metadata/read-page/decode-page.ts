const IN_HEADER = /charset\s*=\s*["']?([\w:-]+)/i;
const IN_META = /<meta[^>]+?charset\s*=\s*["']?\s*([\w:-]+)/i;
/** As far as browsers look for it. */
const META_WITHIN = 1_024;

/**
 * The text of a page. What is valid UTF-8 is UTF-8, whatever is said of it; else the first charset
 * counts that is named and holds: by the page's mark, in its header, in its own `meta`.
 */
export function decodePage(bytes: Uint8Array, contentType: string | null): string {
  const start = Buffer.from(bytes.subarray(0, META_WITHIN)).toString("latin1");
  const named = [IN_HEADER.exec(contentType ?? "")?.[1], IN_META.exec(start)?.[1]].filter(isKnown);
  for (const charset of [utf16Mark(bytes) ?? "utf-8", ...named]) {
    const text = decodeExactly(bytes, charset);
    if (text !== null) return text;
  }
  return new TextDecoder(named[0]).decode(bytes);
}

function utf16Mark([first, second]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return null;
}

function isKnown(charset: string | undefined): charset is string {
  try {
    return charset !== undefined && new TextDecoder(charset) !== null;
  } catch {
    return false;
  }
}

/** Null where the bytes are none of the charset; a page may end in the middle of a character. */
function decodeExactly(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
