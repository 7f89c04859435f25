import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { claimLedger, ledgerFile } from "@tapthru/local/processes/process-ledger";
import { startDatabase } from "@tapthru/local/servers/database";
import { localDatabaseUrl } from "@tapthru/local/servers/with-database";
import { requireFreePorts } from "@tapthru/local/stack/ports";
import { readSettings } from "@tapthru/local/stack/settings";
import { createStack } from "@tapthru/local/stack/stack";
import { type Manifest, readManifest } from "./manifest.ts";
import { restore } from "./restore.ts";

/**
 * Restores into the Postgres of the local stack, which is started for this purpose, and deletes the stack's Redis data.
 * @throws UserFacingError if the stack is running or the backup is incomplete
 */
export async function restoreLocally(folder: string): Promise<Manifest> {
  // Fails before anything is created or started.
  await readManifest(folder);
  const settings = readSettings(process.env);
  const { dataDir, logsDir } = settings;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const ledger = await claimLedger(ledgerFile(dataDir));
  const stack = createStack(ledger);
  process.once("exit", stack.kill);
  try {
    await requireFreePorts([{ setting: "POSTGRES_PORT", port: settings.ports.POSTGRES_PORT }]);
    await mkdir(logsDir, { recursive: true });
    await startDatabase(settings, stack);
    const manifest = await restore(localDatabaseUrl(settings), folder);
    await rm(join(dataDir, "redis"), { recursive: true, force: true });
    return manifest;
  } finally {
    await stack.stop();
    process.off("exit", stack.kill);
    ledger.close();
  }
}
