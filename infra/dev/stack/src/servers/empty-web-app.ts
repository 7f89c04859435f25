import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PRERENDERED_PAGES } from "@tapthru/proto/rules/prerendered-pages";

/** Writes the pages that a gateway needs to start, without content, for runs that need no web app. */
export async function writeEmptyWebApp(webDir: string): Promise<void> {
  for (const name of ["index.html", ...Object.values(PRERENDERED_PAGES)])
    await writeFile(join(webDir, name), "<!doctype html><title>Tapthru</title>");
}
