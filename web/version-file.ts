import { createHash } from "node:crypto";
import type { Plugin, Rollup } from "vite";

/**
 * Writes /version.txt, a hash of all build output. Equal builds have equal versions, and any change of a file that a
 * browser loads changes the version.
 */
export function versionFile(): Plugin {
  return {
    name: "tapthru:version-file",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        this.emitFile({ type: "asset", fileName: "version.txt", source: `${hashOf(bundle)}\n` });
      },
    },
    configureServer(server) {
      server.middlewares.use("/version.txt", (_request, response) => {
        response.setHeader("Content-Type", "text/plain; charset=utf-8").end("development\n");
      });
    },
  };
}

function hashOf(bundle: Rollup.OutputBundle): string {
  const hash = createHash("sha256");
  for (const fileName of Object.keys(bundle).sort()) {
    const file = bundle[fileName];
    if (file) hash.update(fileName).update(file.type === "chunk" ? file.code : file.source);
  }
  return hash.digest("hex").slice(0, 8);
}
