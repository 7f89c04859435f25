import type { ClickHouse } from "@tapthru/core/platform/clickhouse/clickhouse";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { ClickBatch } from "@tapthru/proto/clicks/batch";
import { addOutcomes } from "../add-outcomes.ts";
import type { ClickWriter } from "../apply-batches.ts";
import { acquireClicksLock, insertBatches } from "../queries.ts";
import { type BatchRows, batchRows, type CountedLinks, referredDays } from "./batch-rows.ts";
import { followLinkChanges } from "./follow-link-changes.ts";
import { findCountedLinks } from "./link-queries.ts";
import { createReferrerBound, findReferrers } from "./referrer-bound.ts";

/** Also batches in one transaction of Postgres, whose time is limited. */
const CONCURRENT_INSERTS = 4;

/** In one query, whose parameters are in its URL: ClickHouse takes 1 MiB. */
const LOOKED_UP_DAYS = 500;
const NO_ROWS: BatchRows = { counts: [], visitors: [] };

export interface ClickHouseWriterDependencies {
  db: Db<"transaction">;
  clickHouse: Pick<ClickHouse, "rows" | "insert" | "command">;
  /** `CLICKS_KEPT_MONTHS`. */
  keptMonths: number;
}

/**
 * Each batch is an insert of its own, with its id as token: an insert that is repeated after a crash or a lost response
 * adds nothing. Postgres knows the batches of the last day, so that ClickHouse has to know only the last inserts.
 */
export function createClickHouseWriter(deps: ClickHouseWriterDependencies): ClickWriter {
  const { db, clickHouse, keptMonths } = deps;
  const referrers = createReferrerBound();
  let hasTables = false;

  /** ClickHouse may be unavailable at the start of the worker. */
  async function createTables(): Promise<void> {
    if (hasTables) return;
    for (const statement of tableStatements(keptMonths)) await clickHouse.command(statement);
    hasTables = true;
  }

  async function learnReferrers(batches: readonly ClickBatch[], links: CountedLinks) {
    const unknown = referredDays(batches, links).filter((day) => !referrers.isKnown(day));
    for (let at = 0; at < unknown.length; at += LOOKED_UP_DAYS) {
      const found = await findReferrers(clickHouse, unknown.slice(at, at + LOOKED_UP_DAYS));
      for (const { linkId, date, key } of found) referrers.learn({ linkId, day: date }, [key]);
    }
  }

  async function insertRows(id: string, rows: BatchRows | undefined): Promise<void> {
    const { counts, visitors } = rows ?? NO_ROWS;
    if (counts.length > 0) await clickHouse.insert("clicks", counts, id);
    if (visitors.length > 0) await clickHouse.insert("click_visitors", visitors, id);
  }

  function applySome(batches: readonly ClickBatch[]): Promise<number> {
    return db.transaction(async (transaction) => {
      await acquireClicksLock(transaction);
      const isNew = await insertBatches(
        transaction,
        batches.map(({ id }) => id),
      );
      const added = batches.filter(({ id }) => isNew.has(id));
      await addOutcomes(transaction, added);
      const codes = new Set(added.flatMap(({ links }) => links.map(({ shortCode }) => shortCode)));
      const links = await findCountedLinks(transaction, [...codes]);
      await learnReferrers(added, links);
      const rows = added.map((batch) => batchRows(batch, links, referrers));
      await Promise.all(added.map(({ id }, index) => insertRows(id, rows[index])));
      return rows.reduce((sum, { counts, visitors }) => sum + counts.length + visitors.length, 0);
    });
  }

  return {
    async apply(batches) {
      await createTables();
      const byId = [...new Map(batches.map((batch) => [batch.id, batch])).values()];
      let rows = 0;
      for (let at = 0; at < byId.length; at += CONCURRENT_INSERTS) {
        rows += await applySome(byId.slice(at, at + CONCURRENT_INSERTS));
      }
      return rows;
    },
    async followLinks() {
      await createTables();
      await db.transaction(async (transaction) => {
        await acquireClicksLock(transaction);
        await followLinkChanges(transaction, clickHouse);
      });
    },
  };
}

/**
 * Clicks in ClickHouse are signed rows that are only ever inserted: a deleted link gets rows that bring its sums to zero,
 * and a claim moves them from user 0 to the new owner. SummingMergeTree adds up rows with the same key when it merges
 * parts, and removes those whose sum is zero. Parts older than a day are merged. A projection is a part of the same
 * insert, so the sums of an owner always agree with those of the links.
 *
 * Each statement may run again. A later version appends ALTER TABLE … IF NOT EXISTS.
 */
function tableStatements(keptMonths: number): string[] {
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
