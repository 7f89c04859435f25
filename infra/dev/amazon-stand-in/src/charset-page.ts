import type { StandInResponse } from "./response.ts";

interface CharsetPageOptions {
  /**
   * The title, as HTML. With `latin1` each character is one byte of the page; UTF-16 starts with a byte order
   * mark.
   */
  title: string;
  encoding?: "utf8" | "latin1" | "utf16le";
  /** The charset in the Content-Type header. */
  headerCharset?: string;
  /** The page's own charset declaration, as HTML. */
  meta?: string;
}

/** A product page in any charset; the header and the page may declare another one. */
export function charsetPage({
  title,
  encoding = "latin1",
  headerCharset,
  meta = "",
}: CharsetPageOptions): StandInResponse {
  const byteOrderMark = encoding === "utf16le" ? "\ufeff" : "";
  const html = `${byteOrderMark}<!doctype html><html><head>${meta}<title>A product</title></head>
<body><span id="productTitle"> ${title} </span></body></html>`;
  return {
    status: 200,
    contentType: headerCharset === undefined ? "text/html" : `text/html; charset=${headerCharset}`,
    body: Buffer.from(html, encoding),
  };
}

/** デスクライト in the bytes of Shift_JIS. */
export const SHIFT_JIS_LAMP = "\x83\x66\x83\x58\x83\x4e\x83\x89\x83\x43\x83\x67";
