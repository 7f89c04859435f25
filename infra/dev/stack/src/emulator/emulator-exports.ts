import { existsSync, statSync, writeFileSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

const METADATA = "firebase-export-metadata.json";

/**
 * The folder of the next export. The emulator moves an export there when it is complete, so the newest
 * one is valid even if a process is killed at any time.
 */
export function newExportFolder(exportsDir: string): string {
  return join(exportsDir, String(Date.now()));
}

/** The folder of the emulator's export at its exit. */
export function exitExportFolder(homeDir: string): string {
  return join(homeDir, "exit-export");
}

/** Records that the emulator has loaded all accounts. Without this record its exit export is ignored. */
export function markComplete(homeDir: string): void {
  writeFileSync(completeMark(homeDir), "");
}

function completeMark(homeDir: string): string {
  return join(homeDir, "complete");
}

/** The newest export of the last run, or null; older ones are removed. */
export async function lastExport(homeDir: string, exportsDir: string): Promise<string | null> {
  const path = exitExportFolder(homeDir);
  if (existsSync(completeMark(homeDir)) && exportedAt(path) > 0) {
    await rename(path, newExportFolder(exportsDir));
  }
  return keepNewestExport(exportsDir);
}

/** The newest export, or null; the others are removed. */
export async function keepNewestExport(exportsDir: string): Promise<string | null> {
  const paths = (await readdir(exportsDir)).map((name) => join(exportsDir, name));
  const [newest, ...others] = paths.toSorted((one, other) => exportedAt(other) - exportedAt(one));
  for (const path of others) await rm(path, { recursive: true });
  return newest !== undefined && exportedAt(newest) > 0 ? newest : null;
}

/** Milliseconds since 1970; 0 if there is no complete export. */
function exportedAt(path: string): number {
  return statSync(join(path, METADATA), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
