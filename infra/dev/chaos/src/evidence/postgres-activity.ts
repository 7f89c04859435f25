import { withClient } from "@tapthru/postgres/with-client";
import type { Trial } from "../fault-case.ts";

/** Connections of all replicas of a service to Postgres. */
export function countConnections(databaseUrl: string, service: string): Promise<number> {
  return count(
    databaseUrl,
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = $1",
    [`tapthru-${service}`],
  );
}

export function countLinks(databaseUrl: string): Promise<number> {
  return count(databaseUrl, "SELECT count(*)::int AS count FROM links");
}

/** Lookups of links by code, from the index statistics of Postgres. */
function countLookups(databaseUrl: string): Promise<number> {
  return count(
    databaseUrl,
    `SELECT idx_scan::int AS count FROM pg_stat_user_indexes
    WHERE indexrelname = 'links_short_code_key'`,
  );
}

/** The longest current wait for a table lock, in milliseconds. */
export function longestLockWait(databaseUrl: string): Promise<number> {
  return count(
    databaseUrl,
    `SELECT coalesce(extract(epoch FROM max(clock_timestamp() - waitstart)) * 1000, 0)::int AS count
    FROM pg_locks WHERE locktype = 'relation' AND NOT granted`,
  );
}

/** An idle backend flushes its statistics after ten seconds. */
const STATISTICS_SETTLE_MS = 11_000;

/** Lookups of links by code, after all backends have flushed their statistics. */
export async function countSettledLookups({ testbed, until }: Trial): Promise<number> {
  let last = -1;
  let since = performance.now();
  const isSettled = async () => {
    const now = await countLookups(testbed.databaseUrl);
    if (now !== last) since = performance.now();
    last = now;
    return performance.now() - since > STATISTICS_SETTLE_MS;
  };
  await until("Postgres has counted all statements", isSettled, 60_000, 500);
  return last;
}

function count(databaseUrl: string, query: string, values: unknown[] = []): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: number }>(query, values);
    return rows[0]?.count ?? Number.NaN;
  });
}
