import {
  FailedItem,
  ImportsState,
  OutboxState,
  PostgresState,
} from "@tapthru/proto/http/operator/system";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";

export function findPostgresState(db: Db<"one">) {
  return db.one(sql.type(PostgresState)`
    SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
      CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE 'primary' END AS role,
      pg_database_size(current_database()) AS "sizeBytes",
      (SELECT sum(numbackends)::int FROM pg_stat_database) AS connections,
      current_setting('max_connections')::int AS "maxConnections",
      (SELECT name FROM schema_migrations ORDER BY id DESC LIMIT 1) AS migration,
      (SELECT count(*)::int FROM schema_migrations) AS "migrationCount"
  `);
}

export function findOutbox(db: Db<"one">) {
  return db.one(sql.type(OutboxState)`
    SELECT count(*)::int AS waiting,
      extract(epoch FROM now() - min(created_at))::float8 AS "oldestSeconds"
    FROM link_changes WHERE projected_at IS NULL
  `);
}

const FailedRow = z.extend(FailedItem, {
  firstFailedAt: z.number(),
  retryAt: z.number(),
  total: z.int(),
});

/** The next `limit` to be tried again; `total`: of all. */
export function findFailedItems(db: Db<"any">, limit: number) {
  return db.any(sql.type(FailedRow)`
    SELECT kind, key, error, attempts, first_failed_at AS "firstFailedAt", retry_at AS "retryAt",
      count(*) OVER ()::int AS total
    FROM failed_items ORDER BY retry_at, kind, key LIMIT ${limit}
  `);
}

/** @returns how many were waiting for their next attempt */
export async function retryFailedItems(db: Db<"query">): Promise<number> {
  const { rowCount } = await db.query(sql.type(z.object({}))`
    UPDATE failed_items SET retry_at = now() WHERE retry_at > now()
  `);
  return rowCount;
}

export function countImports(db: Db<"one">) {
  return db.one(sql.type(ImportsState)`
    SELECT count(*) FILTER (WHERE state = 'ready')::int AS waiting,
      count(*) FILTER (WHERE state = 'running')::int AS running
    FROM imports
  `);
}

const PageReads = z.object({ outcome: z.string(), count: z.int() });

/** `unread`: not read yet. */
export async function countPageReads(db: Db<"any">): Promise<Record<string, number>> {
  const rows = await db.any(sql.type(PageReads)`
    SELECT coalesce(last_outcome, 'unread') AS outcome, count(*)::int AS count
    FROM products GROUP BY outcome ORDER BY count DESC
  `);
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]));
}
