import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { build, preview } from "vite";

const EMPTY_PAGE = fileURLToPath(new URL("./empty", import.meta.url));
/** The gateway's config.json of a deployment without accounts. */
const CONFIG = { publicBaseUrl: "http://localhost", productName: "Tapthru", contactEmail: "" };

/** The web application and an empty React page, built and served with the same Vite settings. */
export interface Sites {
  ours: string;
  empty: string;
  close(): Promise<void>;
}

export async function openSites(folder: string): Promise<Sites> {
  const ours = await openSite(join(CHECKOUT, "web"), join(folder, "ours"));
  const config = { ...CONFIG, firebase: null, emulator: false };
  await writeFile(join(folder, "ours", "config.json"), JSON.stringify(config));
  const empty = await openSite(EMPTY_PAGE, join(folder, "empty"));
  return {
    ours: ours.origin,
    empty: empty.origin,
    async close() {
      await Promise.all([ours.close(), empty.close()]);
    },
  };
}

async function openSite(root: string, outDir: string) {
  const shared = { root, logLevel: "error" } as const;
  await build({ ...shared, build: { outDir, emptyOutDir: true } });
  const server = await preview({
    ...shared,
    build: { outDir },
    preview: { host: "127.0.0.1", port: 0 },
  });
  const origin = server.resolvedUrls?.local[0];
  if (origin === undefined) throw new Error(`Vite has no URL for ${root}`);
  return { origin, close: () => server.close() };
}
