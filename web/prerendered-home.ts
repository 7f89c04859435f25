import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PRERENDERED_HOME, PRERENDERED_PRODUCT_NAME } from "@tapthru/proto/rules/prerendered-home";
import react from "@vitejs/plugin-react";
import { build, type Plugin, type Rollup } from "vite";
import type { prerenderHome } from "./src/prerender.tsx";

/** The gateway replaces the product's name. The start page does not show the other values. */
const CONFIG = {
  publicBaseUrl: "https://site.invalid",
  productName: PRERENDERED_PRODUCT_NAME,
  contactEmail: "",
  firebase: null,
  emulator: false,
};
const EMPTY_ROOT = '<div id="root">';

/** Writes home.html: index.html with the content of the start page. */
export function prerenderedHome(): Plugin {
  return {
    name: "tapthru:prerendered-home",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const index = bundle["index.html"];
        if (index?.type !== "asset") return;
        const render = await loadRenderer(this.environment.config.root);
        const root = `<div id="root" data-prerendered>${await render(CONFIG)}`;
        const source = index.source.toString().replace(EMPTY_ROOT, () => root);
        this.emitFile({ type: "asset", fileName: PRERENDERED_HOME, source });
      },
    },
  };
}

/** Bundles the application for Node and imports it. */
async function loadRenderer(root: string): Promise<typeof prerenderHome> {
  const result = await build({
    root,
    configFile: false,
    logLevel: "error",
    plugins: [react()],
    ssr: { noExternal: true },
    build: {
      ssr: "src/prerender.tsx",
      write: false,
      minify: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [chunk] = (result as Rollup.RolldownOutput).output;
  const directory = await mkdtemp(join(tmpdir(), "tapthru-prerender-"));
  try {
    const file = join(directory, "prerender.mjs");
    await writeFile(file, chunk.code);
    return (await import(pathToFileURL(file).href)).prerenderHome;
  } finally {
    await rm(directory, { recursive: true });
  }
}
