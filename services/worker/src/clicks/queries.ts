import { PackedCounts } from "@tapthru/proto/clicks/packed-counts";
import { bytes } from "@tapthru/runtime/postgres/values";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import { linksOfCodes } from "../links/queries.ts";

/** Taken by the worker that applies batches, so that two never change the same rows. */
const CLICKS_LOCK = 0xc11c;

const Nothing = z.object({});

/** Waits for other workers; the lock is held until the end of the transaction. */
export async function acquireClicksLock(transaction: CommonQueryMethods): Promise<void> {
  await transaction.query(sql.type(Nothing)`SELECT pg_advisory_xact_lock(${CLICKS_LOCK})`);
}

/** Records batches as applied. Returns those that were not applied before. */
export async function insertBatches(
  transaction: CommonQueryMethods,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const inserted = await transaction.anyFirst(sql.type(z.object({ id: z.string() }))`
    INSERT INTO click_batches (id) SELECT * FROM ${sql.unnest(
      ids.map((id) => [id]),
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
 * or claimed without the clicks to be inserted.
 */
export async function lockLinks(
  transaction: CommonQueryMethods,
  shortCodes: readonly string[],
): Promise<ReadonlyMap<string, LockedLink>> {
  const links = await transaction.any(sql.type(LockedLink)`
    SELECT link.id, code.short_code AS "shortCode", link.user_id AS "userId"
    FROM (${linksOfCodes(shortCodes)}) AS code JOIN links link ON link.id = code.link_id
    ORDER BY link.id FOR SHARE OF link
  `);
  return new Map(links.map((link) => [link.shortCode, link]));
}

export const DayRow = z.object({
  linkId: z.int(),
  day: z.string(),
  counts: PackedCounts,
  visitors: z.nullable(bytes),
});
export type DayRow = z.infer<typeof DayRow>;

export function findDays(
  transaction: CommonQueryMethods,
  keys: readonly Pick<DayRow, "linkId" | "day">[],
): Promise<readonly DayRow[]> {
  const rows = keys.map(({ linkId, day }) => [linkId, day]);
  return transaction.any(sql.type(DayRow)`
    SELECT clicks.link_id AS "linkId", clicks.day::text AS day, counts, visitors
    FROM clicks JOIN ${sql.unnest(rows, ["int8", "date"])} AS wanted (link_id, day) USING (link_id, day)
  `);
}

export async function upsertDays(
  transaction: CommonQueryMethods,
  days: readonly DayRow[],
): Promise<void> {
  const rows = days.map(({ linkId, day, counts, visitors }) => [
    linkId,
    day,
    JSON.stringify(counts),
    visitors === null ? null : Buffer.from(visitors),
  ]);
  await transaction.query(sql.type(Nothing)`
    INSERT INTO clicks (link_id, day, counts, visitors)
    SELECT * FROM ${sql.unnest(rows, ["int8", "date", "jsonb", "bytea"])}
    ON CONFLICT (link_id, day) DO UPDATE SET counts = excluded.counts, visitors = excluded.visitors
  `);
}

/** Days that were added up for all links of a user have to be added up again. */
export async function invalidateOwnerDays(
  transaction: CommonQueryMethods,
  days: readonly { userId: number; day: string }[],
): Promise<void> {
  await transaction.query(sql.type(Nothing)`
    SELECT invalidate_owner_clicks(
      ${sql.array(
        days.map(({ userId }) => userId),
        "int4",
      )},
      ${sql.array(
        days.map(({ day }) => day),
        "date",
      )}
    )
  `);
}

export async function createPartitions(db: CommonQueryMethods, day: string): Promise<void> {
  await db.query(sql.type(Nothing)`SELECT create_click_partitions(${sql.date(new Date(day))})`);
}

/** @param time Unix milliseconds. An earlier time than the stored one changes nothing. */
export async function setCompleteUntil(
  db: Pick<CommonQueryMethods, "query">,
  time: number,
): Promise<void> {
  await db.query(sql.type(Nothing)`
    UPDATE click_progress SET complete_until = to_timestamp(${time / 1_000})
    WHERE complete_until < to_timestamp(${time / 1_000})
  `);
}
