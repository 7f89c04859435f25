import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** The files of which the gateway serves compressed copies (infra/gateway/src/nginx/nginx.conf). */
const COMPRESSED = /[.](js|css)$/;

/** Writes a Brotli and a gzip copy next to each script and style sheet. */
export function compressedFiles(): Plugin {
  return {
    name: "tapthru:compressed-files",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (!COMPRESSED.test(file.fileName)) continue;
          const content = file.type === "chunk" ? file.code : file.source;
          const copies = { br: brotliCompressSync(content), gz: gzipSync(content, { level: 9 }) };
          for (const [ending, source] of Object.entries(copies)) {
            this.emitFile({ type: "asset", fileName: `${file.fileName}.${ending}`, source });
          }
        }
      },
    },
  };
}
