import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PRERENDERED_PAGES, PRERENDERED_PRODUCT_NAME } from "@tapthru/proto/rules/paths";
import react from "@vitejs/plugin-react";
import { build, type Plugin, type Rollup } from "vite";
import type { prerenderPage } from "./src/prerender.tsx";

/** The gateway replaces the product's name. The prerendered pages do not show the other values. */
const CONFIG = {
  publicBaseUrl: "https://site.invalid",
  productName: PRERENDERED_PRODUCT_NAME,
  contactEmail: "",
  firebase: null,
  signUp: "open" as const,
  hasPasswordLogin: true,
  openIdConnect: null,
  hasAmazonAds: false,
  hasDomains: false,
};
const EMPTY_ROOT = '<div id="root">';

/** Writes home.html and dashboard.html: index.html with the content of these pages. */
export function prerenderedPages(): Plugin {
  return {
    name: "tapthru:prerendered-pages",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const index = bundle["index.html"];
        if (index?.type !== "asset") return;
        const html = index.source.toString();
        const render = await loadRenderer(this.environment.config.root);
        for (const [path, fileName] of Object.entries(PRERENDERED_PAGES)) {
          const root = `<div id="root" data-prerendered="${path}">${await render(path, CONFIG)}`;
          this.emitFile({ type: "asset", fileName, source: html.replace(EMPTY_ROOT, () => root) });
        }
      },
    },
  };
}

async function loadRenderer(root: string): Promise<typeof prerenderPage> {
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
    return (await import(pathToFileURL(file).href)).prerenderPage;
  } finally {
    await rm(directory, { recursive: true });
  }
}
