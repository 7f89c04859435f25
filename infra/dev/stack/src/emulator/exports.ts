import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { callEmulator, type EmulatorAddress } from "./call-emulator.ts";

/** Exports all accounts into a new folder. */
export async function exportAccounts(
  { hubPort }: EmulatorAddress,
  exportsDir: string,
): Promise<void> {
  const path = join(exportsDir, String(Date.now()));
  await callEmulator(hubPort, "POST", "/_admin/export", { path, initiatedBy: "tapthru" });
  await keepNewestExport(exportsDir);
}

/**
 * The newest export, or null; the others are removed. The emulator moves an export to its folder when it is complete, so
 * the newest one is valid even if a process was killed at any time.
 */
export async function keepNewestExport(exportsDir: string): Promise<string | null> {
  const paths = (await readdir(exportsDir)).sort().map((name) => join(exportsDir, name));
  const newest = paths.findLast((path) => existsSync(join(path, "firebase-export-metadata.json")));
  for (const path of paths)
    if (newest !== undefined && path < newest) await rm(path, { recursive: true, force: true });
  return newest ?? null;
}
