import { statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const METADATA = "firebase-export-metadata.json";

/**
 * Where the next export goes. Each has a folder of its own, and the emulator puts it there when it is
 * whole: whenever a process is killed, the newest one is good.
 */
export function newExport(exportsDir: string): string {
  return join(exportsDir, String(Date.now()));
}

/** The newest export, if any; the others are removed. */
export async function keepNewestExport(exportsDir: string): Promise<string | null> {
  const paths = (await readdir(exportsDir)).map((name) => join(exportsDir, name));
  const [newest, ...others] = paths.toSorted((one, other) => madeAt(other) - madeAt(one));
  for (const path of others) await rm(path, { recursive: true });
  return newest !== undefined && madeAt(newest) > 0 ? newest : null;
}

/** Milliseconds since 1970; 0 for a folder that holds no export yet. */
function madeAt(path: string): number {
  return statSync(join(path, METADATA), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
