import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PRERENDERED_HOME } from "@tapthru/proto/rules/prerendered-home";

/** Writes the pages that a gateway needs to start, without content, for runs that need no web app. */
export async function writeEmptyWebApp(webDir: string): Promise<void> {
  for (const name of ["index.html", PRERENDERED_HOME])
    await writeFile(join(webDir, name), "<!doctype html><title>Tapthru</title>");
}
