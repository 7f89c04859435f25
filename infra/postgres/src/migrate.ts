import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import { withClient } from "./with-client.ts";

export const MIGRATIONS = fileURLToPath(new URL("../migrations", import.meta.url));

/**
 * While a migration waits for a table, so does everybody who comes after it: no longer than the api has
 * patience, and connections to wait with.
 */
const LOCK_TIMEOUT_MS = 200;
const PAUSE_MS = 1_000;
const GIVE_UP_AFTER_MS = 10 * 60_000;
const LOCK_NOT_AVAILABLE = "55P03";

interface Options {
  databaseUrl: string;
  /** Called each time a lock was not to be had and everything was taken back. */
  onRetry?: () => void;
  /** Where the migrations are; ours unless given. */
  folder?: string;
}

/**
 * Brings the database to the newest schema, all in one transaction. Where a lock is not to be had soon,
 * everything is taken back and tried again later, so that a running system goes on. Two at once are safe:
 * the second comes back until the first is done, and finds nothing to do.
 * @returns the names of the migrations that were applied
 */
export async function migrate(options: Options): Promise<string[]> {
  const end = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    try {
      return await tryToMigrate(options);
    } catch (error) {
      if (!isLockTimeout(error) || Date.now() > end) throw error;
      options.onRetry?.();
      await delay(PAUSE_MS);
    }
  }
}

async function tryToMigrate({ databaseUrl, folder = MIGRATIONS }: Options) {
  const applied = await withClient(databaseUrl, async (dbClient) => {
    await dbClient.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    return runner({
      dbClient,
      dir: folder,
      direction: "up",
      migrationsTable: "schema_migrations",
      checkOrder: true,
      singleTransaction: true,
      advisoryLockMode: "wait",
      log: () => {},
    });
  });
  return applied.map((migration) => migration.name);
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE;
}
