import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { bytes } from "@tapthru/core/platform/postgres/values";
import { PackedCounts } from "@tapthru/proto/clicks/packed-counts";
import { type CommonQueryMethods, type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";

const Nothing = z.object({});

/** Records batches as applied. Returns those that were not applied before. */
export async function insertBatches(
  transaction: CommonQueryMethods,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const inserted = await transaction.anyFirst(sql.type(z.object({ id: z.string() }))`
    INSERT INTO click_batches (id) SELECT * FROM ${sql.unnest(
      ids.toSorted().map((id) => [id]),
      ["uuid"],
    )}
    ON CONFLICT DO NOTHING RETURNING id
  `);
  return new Set(inserted);
}

const LockedLink = z.object({ id: z.int(), shortCode: z.string(), userId: z.nullable(z.int()) });
export type LockedLink = z.infer<typeof LockedLink>;

/**
 * The links of current and earlier codes, by code. Locks them until the end of the transaction, so that none is deleted
 * or claimed without the clicks to be inserted, and no other worker changes their days.
 */
export async function lockLinks(
  transaction: CommonQueryMethods,
  shortCodes: readonly string[],
): Promise<ReadonlyMap<string, LockedLink>> {
  const codes = sql.array(shortCodes, "text");
  const links = await transaction.any(sql.type(LockedLink)`
    SELECT link.id, code.short_code AS "shortCode", link.user_id AS "userId"
    FROM (
      SELECT short_code, id AS link_id FROM all_links WHERE short_code = ANY(${codes})
      UNION
      SELECT short_code, link_id FROM link_codes WHERE short_code = ANY(${codes})
    ) AS code JOIN all_links link ON link.id = code.link_id
    ORDER BY link.id FOR NO KEY UPDATE OF link
  `);
  return new Map(links.map((link) => [link.shortCode, link]));
}

/** The counts of a link, or of all links of a user, on a day in UTC. */
const DayRow = z.object({
  id: z.int(),
  day: z.string(),
  counts: PackedCounts,
  visitors: z.nullable(bytes),
  people: z.int(),
});
export type DayRow = z.infer<typeof DayRow>;

export type DayTable = readonly [table: "clicks", id: "link_id"] | readonly [table: "user_clicks", id: "user_id"];

export function findDays(
  transaction: CommonQueryMethods,
  [table, id]: DayTable,
  keys: readonly Pick<DayRow, "id" | "day">[],
): Promise<readonly DayRow[]> {
  return transaction.any(sql.type(DayRow)`
    SELECT wanted.id, stored.day::text AS day, counts, visitors, people
    FROM ${sql.identifier([table])} AS stored JOIN ${wanted(keys)}
      ON (${sql.identifier(["stored", id])}, stored.day) = (wanted.id, wanted.day)
  `);
}

/**
 * Locks days of users until the end of the transaction, and creates those that are missing: other streams have links of the
 * same users. First all are created and then all locked, each in the same order, so that no two workers wait for each other.
 */
export async function lockUserDays(
  transaction: CommonQueryMethods,
  keys: readonly Pick<DayRow, "id" | "day">[],
): Promise<void> {
  await transaction.query(sql.type(Nothing)`
    INSERT INTO user_clicks (user_id, day, counts) SELECT id, day, '{}' FROM ${wanted(keys)}
    WHERE NOT EXISTS (SELECT FROM user_clicks AS stored WHERE (stored.user_id, stored.day) = (wanted.id, wanted.day))
    ORDER BY id, day ON CONFLICT DO NOTHING
  `);
  await transaction.query(sql.type(Nothing)`
    SELECT FROM user_clicks AS stored JOIN ${wanted(keys)} ON (stored.user_id, stored.day) = (wanted.id, wanted.day)
    ORDER BY wanted.id, wanted.day FOR UPDATE OF stored
  `);
}

function wanted(keys: readonly Pick<DayRow, "id" | "day">[]): FragmentSqlToken {
  const rows = keys.map(({ id, day }) => [id, day]);
  return sql.fragment`${sql.unnest(rows, ["int8", "date"])} AS wanted (id, day)`;
}

/** @param owners the users of the links, if the days are those of links */
export async function upsertDays(
  transaction: CommonQueryMethods,
  [table, id]: DayTable,
  days: readonly DayRow[],
  owners?: ReadonlyMap<number, number | null>,
): Promise<void> {
  const rows = days.map((row) => [
    row.id,
    row.day,
    JSON.stringify(row.counts),
    row.visitors === null ? null : Buffer.from(row.visitors),
    row.people,
    ...(owners ? [owners.get(row.id) ?? null] : []),
  ]);
  const idColumn = sql.identifier([id]);
  const [column, change] = owners
    ? [sql.fragment`, user_id`, sql.fragment`, user_id = excluded.user_id`]
    : [sql.fragment``, sql.fragment``];
  await transaction.query(sql.type(Nothing)`
    INSERT INTO ${sql.identifier([table])} (${idColumn}, day, counts, visitors, people${column})
    SELECT * FROM ${sql.unnest(rows, ["int8", "date", "jsonb", "bytea", "int4", ...(owners ? ["int4"] : [])])}
    ON CONFLICT (${idColumn}, day) DO UPDATE
    SET counts = excluded.counts, visitors = excluded.visitors, people = excluded.people${change}
  `);
}

/** Does not wait for other transactions if they exist. */
export async function createPartitions(db: CommonQueryMethods, day: string): Promise<void> {
  const suffix = day.slice(0, 7).replace("-", "_");
  await db.query(sql.type(Nothing)`
    SELECT create_click_partitions(${sql.date(new Date(day))})
    FROM unnest(ARRAY['clicks_', 'user_clicks_']) AS parent
    WHERE to_regclass(parent || ${suffix}::text) IS NULL LIMIT 1
  `);
}

/** @param time Unix milliseconds. An earlier time than the stored one changes nothing. */
export async function setCompleteUntil(db: Db<"query">, time: number): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE click_progress SET complete_until = to_timestamp(${time / 1_000})
    WHERE complete_until < to_timestamp(${time / 1_000})
  `);
}
