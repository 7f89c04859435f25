/**
 * Clicks in ClickHouse are signed rows that are only ever inserted: a deleted link gets rows that bring its sums to zero,
 * and a claim moves them from user 0 to the new owner. SummingMergeTree adds up rows with the same key when it merges
 * parts, and removes those whose sum is zero. Parts older than a day are merged. A projection is a part of the same
 * insert, so the sums of an owner always agree with those of the links.
 *
 * Each statement may run again. A later version appends ALTER TABLE … IF NOT EXISTS.
 */
export function tableStatements(keptMonths: number): string[] {
  const months = keptMonths + 1;
  return [
    `CREATE TABLE IF NOT EXISTS clicks (
      user_id UInt64,
      day Date,
      link_id UInt64,
      key LowCardinality(String),
      slot UInt8,
      count Int64,
      PROJECTION by_owner (
        SELECT user_id, key, day, slot, sum(count) GROUP BY user_id, key, day, slot
      ),
      PROJECTION by_link (
        SELECT user_id, day, link_id, sumIf(count, key = 'p') GROUP BY user_id, day, link_id
      )
    ) ${engine("user_id, day, link_id, key, slot", months)}`,
    `CREATE TABLE IF NOT EXISTS click_visitors (
      user_id UInt64,
      day Date,
      link_id UInt64,
      value UInt32,
      count Int64,
      PROJECTION by_owner (SELECT user_id, day, value, sum(count) GROUP BY user_id, day, value)
    ) ${engine("user_id, day, link_id, value", months)}`,
    ...["clicks", "click_visitors"].map((table) => `ALTER TABLE ${table} MODIFY ${ttl(months)}`),
  ];
}

/** The deduplication window is in inserts; a batch that is not known any more is known to Postgres for a day. */
function engine(key: string, months: number): string {
  return `ENGINE = SummingMergeTree(count) PARTITION BY toYYYYMM(day) ORDER BY (${key}) ${ttl(months)}
    SETTINGS non_replicated_deduplication_window = 10000, replicated_deduplication_window = 10000,
      deduplicate_merge_projection_mode = 'rebuild', index_granularity = 1024, ttl_only_drop_parts = 1,
      min_age_to_force_merge_seconds = 86400`;
}

/** A month is kept whole, as in Postgres. */
function ttl(months: number): string {
  return `TTL toStartOfMonth(day) + INTERVAL ${months} MONTH`;
}
