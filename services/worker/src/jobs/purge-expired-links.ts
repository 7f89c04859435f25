import { retireDeletedLinks } from "@tapthru/core/outbox";
import { allOrEachItem } from "@tapthru/core/platform/failed-items";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { DELETED_LINK_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import { type CommonQueryMethods, type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { Job } from "../app.ts";

const BATCH = 500;

interface Due {
  reason: "expired" | "deleted";
  /** The column with the time of which the links are found in order. */
  since: FragmentSqlToken;
  isDue: FragmentSqlToken;
}

const DUE: readonly Due[] = [
  { reason: "expired", since: sql.fragment`expires_at`, isDue: sql.fragment`expires_at <= now() AND user_id IS NULL` },
  {
    reason: "deleted",
    since: sql.fragment`deleted_at`,
    isDue: sql.fragment`deleted_at <= now() - ${milliseconds(DELETED_LINK_LIFETIME_MS)}`,
  },
];

/**
 * Purges links of visitors that are expired, and links that can no longer be restored, with their clicks. Without an actor: nothing is
 * kept of links without an owner, and the deletion of the others was recorded.
 */
export const purgeExpiredLinks: Job<"db" | "redirectStore" | "logger"> = async (
  { db, redirectStore, logger },
  _payload,
  { signal },
) => {
  const loop = { db, logger, kind: "purge-expired-links", signal };
  for (const due of DUE) {
    let last: FoundLink | undefined = { id: 0, since: "-infinity" };
    while (last !== undefined && !signal.aborted) {
      const found: readonly FoundLink[] = await findLinks(db, due, last, BATCH);
      await allOrEachItem(
        loop,
        found,
        ({ id }) => id,
        async (some) => {
          const ids = some.map(({ id }) => id);
          const links = await purgeLinks(db, due, ids);
          // If this fails, the relay writes the tombstones.
          await bestEffort(redirectStore.putMany(links.map((link) => tombstone(due, link))));
        },
      );
      last = found[BATCH - 1];
    }
  }
};

function tombstone({ reason }: Due, { shortCode, revision }: PurgedLink): CodeRecord {
  return { shortCode, record: { state: "gone", reason, revision } };
}

const PurgedLink = z.object({ shortCode: z.string(), revision: z.int() });
type PurgedLink = z.infer<typeof PurgedLink>;

/** `since`: as Postgres has it, to the microsecond. */
const FoundLink = z.object({ id: z.int(), since: z.string() });
type FoundLink = z.infer<typeof FoundLink>;

function findLinks(db: CommonQueryMethods, { since, isDue }: Due, after: FoundLink, limit: number) {
  return db.any(sql.type(FoundLink)`
    SELECT id, ${since}::text AS since FROM all_links
    WHERE ${isDue} AND (${since}, id) > (${after.since}::text::timestamptz, ${after.id})
    ORDER BY ${since}, id LIMIT ${limit}
  `);
}

/**
 * Deletes links that are due by Postgres's clock, retires their codes and inserts the changes into the outbox, in one
 * statement. Skips a link that is being claimed or restored; one that was in the meantime no longer matches when its row is
 * locked.
 */
function purgeLinks(db: CommonQueryMethods, { reason, isDue }: Due, ids: readonly number[]) {
  return db.any(sql.type(PurgedLink)`
    WITH due AS (
      SELECT id FROM all_links WHERE id = ANY(${sql.array(ids, "int8")}) AND ${isDue}
      FOR UPDATE SKIP LOCKED
    ), link AS (
      DELETE FROM all_links USING due WHERE all_links.id = due.id
      RETURNING all_links.short_code, all_links.revision + 1 AS revision, ${reason} AS reason
    ), ${retireDeletedLinks}
    SELECT short_code AS "shortCode", revision FROM link
  `);
}
