const IN_HEADER = /charset\s*=\s*["']?([\w:-]+)/i;
const IN_META = /<meta[^<>]+?charset\s*=[\s"']*([\w:-]+)/i;
/** The number of bytes in which browsers search for a charset declaration. */
const META_SEARCH_BYTES = 1_024;

/**
 * The text of a page. Valid UTF-8 is decoded as UTF-8, with any declared charset; otherwise the first declared charset
 * that fits is used: byte order mark, Content-Type, `meta`.
 */
export function decodePage(bytes: Uint8Array, contentType: string | null): string {
  const start = Buffer.from(bytes.subarray(0, META_SEARCH_BYTES)).toString("latin1");
  const declaredCharsets = [IN_HEADER.exec(contentType ?? "")?.[1], IN_META.exec(start)?.[1]].filter(isKnown);
  for (const charset of [charsetOfByteOrderMark(bytes) ?? "utf-8", ...declaredCharsets]) {
    const text = decodeExactly(bytes, charset);
    if (text !== null) return text;
  }
  return new TextDecoder(declaredCharsets[0]).decode(bytes);
}

function charsetOfByteOrderMark([first, second]: Uint8Array): string | null {
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

/** Null if the bytes are invalid in the charset; a page may end within a character. */
function decodeExactly(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
