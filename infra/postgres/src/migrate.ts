import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import { withClient } from "./with-client.ts";

const MIGRATIONS = fileURLToPath(new URL("../migrations", import.meta.url));

/**
 * Brings the database to the newest schema, all in one transaction. Two at once are safe: the second
 * waits for the first and finds nothing to do.
 * @returns the names of the migrations that were applied
 */
export async function migrate(options: {
  databaseUrl: string;
  log: (line: string) => void;
}): Promise<string[]> {
  const applied = await withClient(options.databaseUrl, (dbClient) =>
    runner({
      dbClient,
      dir: MIGRATIONS,
      direction: "up",
      migrationsTable: "schema_migrations",
      checkOrder: true,
      singleTransaction: true,
      advisoryLockMode: "wait",
      log: options.log,
    }),
  );
  return applied.map((migration) => migration.name);
}
