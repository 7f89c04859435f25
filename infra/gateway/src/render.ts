import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { PRERENDERED_PAGES } from "@tapthru/proto/rules/paths";
import { errorFiles } from "./files/error-pages.ts";
import { robotsText, securityText, sitemapXml, webManifest } from "./files/site-files.ts";
import { publicConfig, spaPage, withCopies } from "./files/spa-page.ts";
import { nginxConf } from "./nginx/nginx-conf.ts";
import type { GatewaySettings } from "./settings.ts";

const INDEX_PAGE = "index.html";

/**
 * Writes all files for nginx into `directory` (absolute) and creates the run directory. Must run again after each
 * build of the SPA, because the security policy contains the hashes of its inline scripts.
 */
export async function renderGateway(settings: GatewaySettings, directory: string): Promise<void> {
  const pages = settings.devServer === null ? await readPages(settings.WEB_ROOT) : null;
  await mkdir(settings.runDirectory, { recursive: true });
  for (const [path, text] of Object.entries(gatewayFiles(settings, directory, pages))) {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** The built pages of the SPA by file name. */
async function readPages(webRoot: string): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  for (const file of [INDEX_PAGE, ...Object.values(PRERENDERED_PAGES)]) {
    pages.set(file, await readFile(join(webRoot, file), "utf8"));
  }
  return pages;
}

/** Arguments that start nginx in the foreground with the files of `renderGateway`. */
export function nginxArguments(directory: string): string[] {
  return ["-e", "stderr", "-p", `${directory}/`, "-c", join(directory, "nginx.conf")];
}

function gatewayFiles(
  settings: GatewaySettings,
  directory: string,
  pages: ReadonlyMap<string, string> | null,
): Record<string, string | Buffer> {
  const rendered = Array.from(pages ?? [], ([file, html]) =>
    Object.entries(withCopies(`public/${file}`, spaPage(html, settings))),
  );
  return {
    ...nginxConf(settings, directory, pages?.get(INDEX_PAGE) ?? null),
    "public/config.json": `${JSON.stringify(publicConfig(settings))}\n`,
    "public/app-opening.json": `${JSON.stringify(BUILT_IN_OPENING_TABLE)}\n`,
    "public/robots.txt": robotsText(settings),
    "public/.well-known/security.txt": securityText(settings),
    "public/sitemap.xml": sitemapXml(settings),
    "public/manifest.webmanifest": webManifest(settings),
    ...Object.fromEntries(rendered.flat()),
    ...errorFiles(settings),
  };
}
