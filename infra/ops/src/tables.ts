import type pg from "pg";

/**
 * The tables in a backup, ordered so that foreign keys refer only to earlier tables. `products` precedes `links`, whose
 * trigger reads it.
 */
export const BACKED_UP_TABLES = [
  "users",
  "products",
  "product_stores",
  "links",
  "link_codes",
  "link_destinations",
  "link_patterns",
  "pattern_links",
  "imports",
  "import_lines",
  "retired_codes",
  "account_deletions",
  "amazon_ads_connections",
  "store_tags",
  "onelink_stores",
  "routing_settings",
  "api_keys",
  "api_key_events",
  "labels",
  "link_labels",
  "webhooks",
  "webhook_deliveries",
  "digests",
  "reports",
  "recent_creates",
  "idempotency_keys",
  "clicks",
  "monthly_clicks",
  "app_openings",
  "app_opening_tables",
] as const;

/**
 * A restore runs the migrations itself. The outbox and the applied batches of clicks are only for running services; the
 * transaction ids of the outbox are not valid in another Postgres. The worker adds up the clicks of users again, and
 * determines the health of links again.
 */
const EXCLUDED_TABLES = [
  "schema_migrations",
  "link_changes",
  "routing_changes",
  "click_batches",
  "click_progress",
  "owner_clicks",
  "link_health",
  "click_link_changes",
  "click_moves",
];

/** @throws Error with the names of tables that are in neither list */
export async function requireKnownTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  const known: string[] = [...BACKED_UP_TABLES, ...EXCLUDED_TABLES];
  const unknownTables = rows.filter(({ name }) => !known.includes(name)).map(({ name }) => name);
  if (unknownTables.length > 0) {
    throw new Error(`Tables unknown to the backup: ${unknownTables.join(", ")}.`);
  }
}
