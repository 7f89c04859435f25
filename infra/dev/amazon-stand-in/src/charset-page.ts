import type { StandInResponse } from "./response.ts";

interface CharsetPageOptions {
  /** As HTML. With `latin1` each character is one byte of the page; UTF-16 comes with its mark. */
  title: string;
  encoding?: "utf8" | "latin1" | "utf16le";
  /** What the Content-Type header says. */
  headerCharset?: string;
  /** What the page says of itself, as HTML. */
  meta?: string;
}

/** A product page in bytes of any charset, which header and page may name rightly or not. */
export function charsetPage({
  title,
  encoding = "latin1",
  headerCharset,
  meta = "",
}: CharsetPageOptions): StandInResponse {
  const mark = encoding === "utf16le" ? "\ufeff" : "";
  const html = `${mark}<!doctype html><html><head>${meta}<title>A product</title></head>
<body><span id="productTitle"> ${title} </span></body></html>`;
  return {
    status: 200,
    contentType: headerCharset === undefined ? "text/html" : `text/html; charset=${headerCharset}`,
    body: Buffer.from(html, encoding),
  };
}

/** デスクライト in the bytes of Shift_JIS. */
export const SHIFT_JIS_LAMP = "\x83\x66\x83\x58\x83\x4e\x83\x89\x83\x43\x83\x67";
