import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { MIGRATIONS, migrate } from "../migrate.ts";
import { withClient } from "../with-client.ts";

/** What the next release removes, because only the previous release needs it. */
export const NEXT_RELEASE = fileURLToPath(new URL("../../next-release", import.meta.url));

/** Held while the template is looked for and created. */
const LOCK = 7_426_883;

/**
 * Finds the migrated database on a test server of which tests get copies, because a copy takes a fraction of the time of
 * all migrations. Creates it if the server has none for these migrations.
 * @param isUpgraded with what only the previous release needs
 * @returns its name
 */
export function findTemplate(serverUrl: string, isUpgraded: boolean): Promise<string> {
  const removals = isUpgraded ? [] : read(NEXT_RELEASE);
  const hash = createHash("sha256");
  for (const text of [...read(MIGRATIONS), ...removals]) hash.update(text);
  const name = `template_${hash.digest("hex").slice(0, 12)}`;
  return withClient(serverUrl, async (client) => {
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
    if (rowCount === 0) await createTemplate(serverUrl, client, name, removals);
    return name;
  });
}

/** Renames the database once it is complete, so that an interrupted migration is never copied. */
async function createTemplate(serverUrl: string, client: pg.Client, name: string, removals: string[]): Promise<void> {
  const draft = `${name}_draft`;
  await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${draft}`);
  const databaseUrl = withDatabase(serverUrl, draft);
  await migrate({ databaseUrl });
  await withClient(databaseUrl, (owner) => owner.query(removals.join("")));
  await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
}

/** The texts of the files, in the order of their names. */
const read = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8"));

/** The address of another database on the same server. */
export function withDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
