import type pg from "pg";

/** What a backup holds, in an order in which no row refers to one that comes later. */
export const BACKED_UP_TABLES = [
  "users",
  "links",
  "products",
  "retired_codes",
  "account_deletions",
  "amazon_ads_connections",
  "reports",
  "recent_creates",
  "idempotency_keys",
] as const;

/**
 * The migrations are made anew. The outbox only tells of changes to those who are running, by numbers of
 * transactions that mean nothing in another Postgres.
 */
const NOT_KEPT = ["schema_migrations", "link_changes"];

/** @throws Error naming a table that nobody has thought of here */
export async function requireKnownTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const known: string[] = [...BACKED_UP_TABLES, ...NOT_KEPT];
  const forgotten = rows.filter(({ name }) => !known.includes(name)).map(({ name }) => name);
  if (forgotten.length > 0) throw new Error(`A backup does not know of ${forgotten.join(", ")}.`);
}
