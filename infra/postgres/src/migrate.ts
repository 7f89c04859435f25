import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { runner } from "node-pg-migrate";
import type pg from "pg";
import { withClient } from "./with-client.ts";

const SCHEMA = fileURLToPath(new URL("../schema", import.meta.url));
export const MIGRATIONS = fileURLToPath(new URL("../migrations", import.meta.url));

/**
 * While a migration waits for a table lock, later statements on the table wait too. Must be shorter than the api's
 * timeouts.
 */
const LOCK_TIMEOUT_MS = 200;
const PAUSE_MS = 1_000;
const GIVE_UP_AFTER_MS = 10 * 60_000;
const LOCK_NOT_AVAILABLE = "55P03";
const EARLIER_CHECKOUT =
  "Another checkout of Tapthru created this database before the first release, and nothing in it was changed: to keep its links, export them with that checkout, start this one with an empty database, and import the file.";

interface Options {
  databaseUrl: string;
  /** Called each time a lock was not granted and the migration was rolled back. */
  onRetry?: () => void;
  /** The directory of migrations; the project's by default. */
  folder?: string;
}

/** The texts of a folder's SQL files, in the order of their names. */
export const readSql = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");

/** The first migration: the whole schema of the first release. */
export const schemaSql = () => readSql(SCHEMA);

/**
 * Migrates the database to the newest schema, each migration in a transaction of its own. If a lock is not granted soon, the
 * transaction is rolled back and retried later, so that running services are not blocked. Two migrations at once are safe: each
 * file is applied once, and both end when all are.
 * @returns the names of the applied migrations; `schema` is the first one
 * @throws UserFacingError if another checkout created the database before the first release
 */
export async function migrate({ databaseUrl, onRetry, folder = MIGRATIONS }: Options) {
  const withRetries = <Result>(work: (client: pg.Client) => Promise<Result>) =>
    retryOnLockTimeout(databaseUrl, work, onRetry);
  const applied = (await withRetries(createSchema)) ? ["schema"] : [];
  for (;;) {
    const [migration] = await withRetries((dbClient) =>
      runner({
        dbClient: withTimeoutInTransactions(dbClient),
        dir: folder,
        direction: "up",
        count: 1,
        migrationsTable: "schema_migrations",
        checkOrder: true,
        advisoryLockMode: "wait",
        log: () => {},
      }),
    );
    if (migration === undefined) break;
    applied.push(migration.name);
  }
  return applied;
}

/** Statements without a transaction, such as CREATE INDEX CONCURRENTLY, wait for older transactions and block nobody meanwhile. */
function withTimeoutInTransactions(client: pg.Client) {
  const send = client.query.bind(client);
  const begin = `BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`;
  return Object.assign(client, { query: (text: string) => send(text === "BEGIN;" ? begin : text) });
}

/** Creates the schema in an empty database, in one transaction. @returns false if the database has it */
async function createSchema(client: pg.Client): Promise<boolean> {
  const sql = schemaSql();
  const code = sql.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ");
  const version = createHash("sha256").update(code).digest("hex").slice(0, 12);
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock(hashtext('tapthru schema'))");
  const { rows } = await client.query(
    "SELECT to_regclass('schema_version') IS NOT NULL AS known, to_regclass('links') IS NOT NULL AS used",
  );
  const isKnown =
    rows[0].known && (await client.query("SELECT FROM schema_version WHERE version = $1", [version])).rowCount;
  if (rows[0].used && !isKnown) throw new UserFacingError(EARLIER_CHECKOUT);
  if (!isKnown) {
    await client.query(sql);
    await client.query("CREATE TABLE schema_version (version text NOT NULL)");
    await client.query("INSERT INTO schema_version VALUES ($1)", [version]);
  }
  await client.query("COMMIT");
  return !isKnown;
}

/** For commands: prints waits and results on the console. */
export async function migrateVerbosely(databaseUrl: string): Promise<void> {
  const applied = await migrate({
    databaseUrl,
    onRetry: () => {
      console.log("A table is in use or another migration is running: retrying.");
    },
  });
  console.log(applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The schema is up to date.");
}

async function retryOnLockTimeout<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
  onRetry?: () => void,
): Promise<Result> {
  const end = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    try {
      return await withClient(databaseUrl, work);
    } catch (error) {
      if (!isLockTimeout(error) || Date.now() > end) throw error;
      onRetry?.();
      await delay(PAUSE_MS);
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE;
}
