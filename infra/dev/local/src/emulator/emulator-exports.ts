import { existsSync, statSync, writeFileSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

const METADATA = "firebase-export-metadata.json";

/**
 * Where the next export goes. Each has a folder of its own, and the emulator puts it there when it is
 * whole: whenever a process is killed, the newest one is good.
 */
export function newExport(exportsDir: string): string {
  return join(exportsDir, String(Date.now()));
}

/** Where the emulator of this home exports to when it ends. */
export function exitExport(homeDir: string): string {
  return join(homeDir, "exit-export");
}

/** Notes that the emulator of this home holds all accounts: before that, its exit export counts for nothing. */
export function markComplete(homeDir: string): void {
  writeFileSync(completeMark(homeDir), "");
}

function completeMark(homeDir: string): string {
  return join(homeDir, "complete");
}

/** The accounts as they were at the end of the last run, if any; older exports are removed. */
export async function lastExport(homeDir: string, exportsDir: string): Promise<string | null> {
  const path = exitExport(homeDir);
  if (existsSync(completeMark(homeDir)) && madeAt(path) > 0) {
    await rename(path, newExport(exportsDir));
  }
  return keepNewestExport(exportsDir);
}

/** The newest export, if any; the others are removed. */
export async function keepNewestExport(exportsDir: string): Promise<string | null> {
  const paths = (await readdir(exportsDir)).map((name) => join(exportsDir, name));
  const [newest, ...others] = paths.toSorted((one, other) => madeAt(other) - madeAt(one));
  for (const path of others) await rm(path, { recursive: true });
  return newest !== undefined && madeAt(newest) > 0 ? newest : null;
}

/** Milliseconds since 1970; 0 where no whole export is. */
function madeAt(path: string): number {
  return statSync(join(path, METADATA), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
