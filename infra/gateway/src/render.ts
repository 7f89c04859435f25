import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { ERROR_PAGES, errorFiles } from "./nginx/error-pages.ts";
import { gatewayConfig } from "./nginx/gateway-config.ts";
import { indexPage } from "./nginx/index-page.ts";
import { newPasswordPageHtml } from "./nginx/new-password-page.ts";
import { withCopies } from "./nginx/precompressed-files.ts";
import { robotsText, sitemapXml, webManifest } from "./nginx/site-files.ts";
import { publicConfig } from "./public-config.ts";
import type { GatewaySettings } from "./settings.ts";

/**
 * Writes all files for nginx into `directory` (absolute) and creates the run directory. Must run again after each
 * build of the SPA, because the security policy contains the hashes of its inline scripts.
 * @throws RangeError if an emulator is set in production
 */
export async function renderGateway(settings: GatewaySettings, directory: string): Promise<void> {
  if (settings.environment === "production" && settings.emulator !== null) {
    throw new RangeError("The Firebase emulator is never served in production.");
  }
  const indexHtml =
    "root" in settings.web ? await readFile(join(settings.web.root, "index.html"), "utf8") : null;
  await mkdir(settings.runDirectory, { recursive: true });
  for (const [path, text] of Object.entries(gatewayFiles(settings, directory, indexHtml))) {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Arguments that start nginx in the foreground with the files of `renderGateway`. */
export function nginxArguments(directory: string): string[] {
  return ["-e", "stderr", "-p", `${directory}/`, "-c", join(directory, "nginx.conf")];
}

function gatewayFiles(
  settings: GatewaySettings,
  directory: string,
  indexHtml: string | null,
): Record<string, string | Buffer> {
  const errors = ERROR_PAGES.flatMap((page) =>
    Object.entries(errorFiles(page, settings.productName)).map(([name, text]) => [
      `_errors/${name}`,
      text,
    ]),
  );
  return {
    "nginx.conf": gatewayConfig(settings, directory, indexHtml),
    "public/config.json": `${JSON.stringify(publicConfig(settings))}\n`,
    "public/app-opening.json": `${JSON.stringify(BUILT_IN_OPENING_TABLE)}\n`,
    "public/robots.txt": robotsText(settings),
    "public/sitemap.xml": sitemapXml(settings),
    "public/manifest.webmanifest": webManifest(settings),
    ...(indexHtml !== null && withCopies("public/index.html", indexPage(indexHtml, settings))),
    ...Object.fromEntries(errors),
    ...(settings.emulator !== null && {
      "_emulator/new-password.html": newPasswordPageHtml(
        settings.publicBaseUrl,
        settings.productName,
      ),
    }),
  };
}
