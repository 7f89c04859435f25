import { retireDeletedLinks } from "@tapthru/core/outbox";
import { allOrEachItem } from "@tapthru/core/platform/failed-items";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { Job } from "../app.ts";

const BATCH = 500;

/** Without an actor: nothing is kept of links without an owner. */
export const purgeExpiredLinks: Job<"db" | "redirectStore" | "logger"> = async (
  { db, redirectStore, logger },
  _payload,
  { signal },
) => {
  const loop = { db, logger, kind: "purge-expired-links", signal };
  let last: ExpiredLink | undefined = { id: 0, expiry: "-infinity" };
  while (last !== undefined && !signal.aborted) {
    const found: readonly ExpiredLink[] = await findExpiredLinks(db, last, BATCH);
    await allOrEachItem(
      loop,
      found,
      ({ id }) => id,
      async (some) => {
        const links = await deleteExpiredLinks(
          db,
          some.map(({ id }) => id),
        );
        // If this fails, the relay writes the tombstones.
        await bestEffort(redirectStore.putMany(links.map(tombstone)));
      },
    );
    last = found[BATCH - 1];
  }
};

function tombstone({ shortCode, revision }: PurgedLink): CodeRecord {
  return { shortCode, record: { state: "gone", reason: "expired", revision } };
}

const PurgedLink = z.object({ shortCode: z.string(), revision: z.int() });
type PurgedLink = z.infer<typeof PurgedLink>;

/** `expiry`: as Postgres has it, to the microsecond. */
const ExpiredLink = z.object({ id: z.int(), expiry: z.string() });
type ExpiredLink = z.infer<typeof ExpiredLink>;

const isExpired = sql.fragment`expires_at <= now() AND user_id IS NULL`;

function findExpiredLinks(db: CommonQueryMethods, after: ExpiredLink, limit: number) {
  return db.any(sql.type(ExpiredLink)`
    SELECT id, expires_at::text AS expiry FROM links
    WHERE ${isExpired} AND (expires_at, id) > (${after.expiry}::text::timestamptz, ${after.id})
    ORDER BY expires_at, id LIMIT ${limit}
  `);
}

/**
 * Deletes links that are expired by Postgres's clock, retires their codes and inserts the changes into the outbox, in one
 * statement. Skips a link that is being claimed; one that was claimed in the meantime no longer matches when its row is
 * locked.
 */
function deleteExpiredLinks(db: CommonQueryMethods, ids: readonly number[]) {
  return db.any(sql.type(PurgedLink)`
    WITH expired AS (
      SELECT id FROM links WHERE id = ANY(${sql.array(ids, "int8")}) AND ${isExpired}
      FOR UPDATE SKIP LOCKED
    ), link AS (
      DELETE FROM links USING expired WHERE links.id = expired.id
      RETURNING links.short_code, links.revision + 1 AS revision, 'expired' AS reason
    ), ${retireDeletedLinks}
    SELECT short_code AS "shortCode", revision FROM link
  `);
}
