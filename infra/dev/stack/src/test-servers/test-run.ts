import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  claimLedger,
  isOwnerAlive,
  ledgerFile,
  type OpenLedger,
  readLedger,
  stopLeftovers,
} from "../processes/process-ledger.ts";
import { postgresFolder } from "../servers/postgres-home.ts";

const PREFIX = "tapthru-test-";
const LEDGER = "test-run.json";

/** A folder for the temporary data of a test run; a whole stack may use it as its data folder. */
export interface TestRun {
  folder: string;
  ledger: OpenLedger;
  remove(): Promise<void>;
}

export async function createTestRun(): Promise<TestRun> {
  await removeLeftoverRuns();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  return {
    folder,
    ledger: await claimLedger(join(folder, LEDGER)),
    remove: () => removeRun(folder),
  };
}

/** Ends leftover processes of killed runs, and removes their folders. */
export async function removeLeftoverRuns(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const folder = join(tmpdir(), name);
    if (!name.startsWith(PREFIX) || !existsSync(join(folder, LEDGER))) continue;
    const ledger = readLedger(join(folder, LEDGER));
    if (ledger === null || isOwnerAlive(ledger)) continue;
    await stopLeftovers(ledger);
    const stackLedger = readLedger(ledgerFile(folder));
    if (stackLedger) await stopLeftovers(stackLedger);
    await removeRun(folder);
  }
}

async function removeRun(folder: string): Promise<void> {
  await rm(postgresFolder(folder), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}
