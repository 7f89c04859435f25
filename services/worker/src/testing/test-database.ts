import type { BulkUpdateKind } from "@tapthru/core/links/bulk-updates";
import { insertLinkChanges } from "@tapthru/core/outbox";
import { createLogger } from "@tapthru/core/platform/logger";
import { createPostgres, type Postgres } from "@tapthru/core/platform/postgres/postgres";
import { createThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import pg from "pg";
import { afterAll, beforeEach, onTestFinished } from "vitest";
import { makeBulkUpdate } from "../relay/bulk-updates.ts";

type Row = Record<string, unknown>;

export interface TestDatabase {
  db: Postgres;
  url: string;
  rows(statement: string, values?: unknown[]): Promise<Row[]>;
  connect(): Promise<pg.Client>;
  empty(): Promise<void>;
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await createThrowawayDatabase();
  const url = await database.urlAs("tapthru_worker");
  const db = createPostgres({
    url,
    applicationName: "worker-test",
    maxConnections: 4,
    statementTimeoutMs: 10_000,
    acquireTimeoutMs: 10_000,
    logger: createLogger({ service: "test", level: "fatal" }),
  });
  const clients: pg.Client[] = [];

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database.url });
    clients.push(client);
    await client.connect();
    return client;
  }

  const superuser = await connect();

  return {
    db,
    url,
    rows: async (statement, values) => (await superuser.query(statement, values)).rows,
    connect,
    async empty() {
      await superuser.query(
        `TRUNCATE users, all_links, link_changes, retired_codes, products, product_stores, bulk_updates,
           failed_items
         CASCADE`,
      );
    },
    async drop() {
      await db.stop?.();
      for (const client of clients) await client.end();
      await database.drop();
    },
  };
}

/** A database for the tests of a file, empty before each of them. @param tables that are emptied too */
export async function useDatabase(...tables: string[]): Promise<TestDatabase> {
  const database = await createTestDatabase();
  afterAll(() => database.drop());
  beforeEach(async () => {
    await database.empty();
    if (tables.length > 0) await database.rows(`TRUNCATE ${tables.join()} CASCADE`);
  });
  return database;
}

export const NEVER = new AbortController().signal;

export const bulkUpdateDeps = ({ db }: Pick<TestDatabase, "db">) => ({
  db,
  logger: createLogger({ service: "test", level: "fatal" }),
  publicBaseUrl: "https://t.example",
  signal: new AbortController().signal,
});

export const bulkUpdate = (database: Pick<TestDatabase, "db">, kind: BulkUpdateKind) =>
  makeBulkUpdate(bulkUpdateDeps(database), kind, new AbortController().signal);

interface LinkOptions {
  name: string;
  count?: number;
  /** Such as "-1 second"; null for links without expiry. */
  expiresIn?: string | null;
  page?: string | null;
  withChange?: boolean;
}

export async function addLinks(
  { rows }: Pick<TestDatabase, "rows">,
  { name, count = 1, expiresIn = "7 days", page = null, withChange = true }: LinkOptions,
): Promise<void> {
  await rows(
    `WITH link AS (
       INSERT INTO links (
         short_code, original_url, web_url, deep_link, canonical_url, claim_hash, expires_at
       )
       SELECT $1 || n, 'amazon.com/dp/B08N5WRWNW', 'https://amazon.com/dp/B08N5WRWNW',
         'https://t.example/redirect?product_id=B08N5WRWNW', $4, sha256('a token'),
         now() + $3::interval
       FROM generate_series(1, $2) n
       RETURNING short_code, revision
     )
     ${insertLinkChanges.sql} WHERE $5`,
    [name, count, expiresIn, page, withChange],
  );
}

export async function addPages({ rows }: Pick<TestDatabase, "rows">, name: string, count = 1): Promise<void> {
  await rows(
    `INSERT INTO products (canonical_url, marketplace, product_id)
     SELECT $1 || n, 'com', 'B08N5WRWNW' FROM generate_series(1, $2) n`,
    [name, count],
  );
}

/** Routes a link to a store of a newer release, so that its redirect record is not valid. Call it once. */
export async function makeUnreadable(database: TestDatabase, shortCode: string): Promise<void> {
  await database.rows(`
    UPDATE links SET opening = 'hologram' WHERE short_code = '${shortCode}'
  `);
}

export type Changed = [table: string, values: object];

/** Until the end of the test each statement fails that inserts, changes or deletes rows with these values. @returns ends it now */
export function makeFail(
  { rows }: Pick<TestDatabase, "rows">,
  table: string,
  values: object,
): Promise<() => Promise<void>> {
  return addTriggers({ rows }, [[table, values]], "RAISE 'this row fails'");
}

/** Works like `makeFail`, but the first statement for each row waits. */
export async function makeWait({ rows, connect }: Pick<TestDatabase, "rows" | "connect">, changed: readonly Changed[]) {
  const holder = await connect();
  await holder.query("SELECT pg_advisory_lock(7)");
  const end = await addTriggers({ rows }, changed, "PERFORM pg_advisory_xact_lock_shared(7)");
  onTestFinished(async () => void (await holder.query("SELECT pg_advisory_unlock_all()")));
  const waiting = "FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted";
  return {
    countWaiting: async () => (await rows(`SELECT ${waiting}`)).length,
    /** The statements end without a result, as if Postgres knew at once that their process was killed. */
    async end(): Promise<void> {
      await rows(`SELECT pg_terminate_backend(pid, 60000) ${waiting}`);
      await end();
      await holder.query("SELECT pg_advisory_unlock(7)");
    },
  };
}

async function addTriggers({ rows }: Pick<TestDatabase, "rows">, changed: readonly Changed[], action: string) {
  await rows(`
    CREATE OR REPLACE FUNCTION at_values() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF to_jsonb(coalesce(NEW, OLD)) @> TG_ARGV[0]::jsonb THEN ${action}; END IF;
      RETURN coalesce(NEW, OLD);
    END $$
  `);
  for (const [index, [table, values]] of changed.entries()) {
    await rows(`
      CREATE TRIGGER a_trigger_${index} BEFORE INSERT OR UPDATE OR DELETE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION at_values('${JSON.stringify(values)}')
    `);
  }
  async function end(): Promise<void> {
    for (const [index, [table]] of changed.entries())
      await rows(`DROP TRIGGER IF EXISTS a_trigger_${index} ON ${table}`);
  }
  onTestFinished(end);
  return end;
}
