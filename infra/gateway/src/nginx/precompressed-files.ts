import { brotliCompressSync, gzipSync } from "node:zlib";
import { indented } from "./nginx-text.ts";

/** Media types by file name extension. The build of the SPA compresses these files. */
const COMPRESSED_ASSETS = { js: "text/javascript", css: "text/css" };

/** Matches a coding in Accept-Encoding unless its weight is 0 (RFC 9110, 12.5.3). */
function accepts(coding: string): string {
  return `"~*(^|,)[ \\t]*${coding}[ \\t]*(,|$|;[ \\t]*q=(?!0([.]0*)?[ \\t]*(,|$)))"`;
}

/**
 * For the http block: which copy of a file the client gets. These maps and `try_files` do this in any nginx; Brotli's
 * own module is not in nginx's images, and would set no `Vary` on files that it does not find.
 */
export const PRECOMPRESSED_COPIES = `
map $http_accept_encoding $copy {
  default "";
  ${accepts("br")} .br;
  ${accepts("gzip")} .gz;
}
map $uri $content_encoding {
  default "";
  ~[.]br$ br;
  ~[.]gz$ gzip;
}
map $uri $vary {
  default "";
  "~^/(assets/[^/]+[.](${Object.keys(COMPRESSED_ASSETS).join("|")})|[^/]+[.]html)([.](br|gz))?$" Accept-Encoding;
}
add_header Content-Encoding $content_encoding always;
add_header Vary $vary always;`;

/** The content of a location whose file has compressed copies next to it. */
export function serveCopyOf(file: string, mediaType: string): string {
  return `gzip off;
types {}
default_type ${mediaType};
try_files ${file}$copy ${file} =404;`;
}

/** The locations of the compressed files, for the server block. */
export const ASSET_LOCATIONS: string = Object.entries(COMPRESSED_ASSETS)
  .map(
    ([extension, mediaType]) => `location ~ ^/assets/[^/]+[.]${extension}$ {
  ${indented(1, serveCopyOf("$uri", mediaType))}
}`,
  )
  .join("\n");

/** A page that is rendered at boot, and its compressed copies, by file name. */
export function withCopies(name: string, text: string): Record<string, string | Buffer> {
  return { [name]: text, [`${name}.br`]: brotliCompressSync(text), [`${name}.gz`]: gzipSync(text) };
}
