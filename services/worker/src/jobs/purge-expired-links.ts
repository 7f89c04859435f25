import { retireDeletedLinks } from "@tapthru/runtime/outbox";
import { bestEffort } from "@tapthru/runtime/redis/errors";
import type { CodeRecord, RedirectStore } from "@tapthru/runtime/redis/redirect-store";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const BATCH = 500;

interface Dependencies {
  db: CommonQueryMethods;
  redirectStore: Pick<RedirectStore, "putMany">;
}

export async function purgeExpiredLinks(deps: Dependencies, signal: AbortSignal): Promise<void> {
  let purged = BATCH;
  while (purged === BATCH && !signal.aborted) {
    const links = await deleteExpiredLinks(deps.db, BATCH);
    // If this fails, the relay writes the tombstones.
    await bestEffort(deps.redirectStore.putMany(links.map(tombstone)));
    purged = links.length;
  }
}

function tombstone({ shortCode, revision }: PurgedLink): CodeRecord {
  return { shortCode, record: { state: "gone", reason: "expired", revision } };
}

const PurgedLink = z.object({ shortCode: z.string(), revision: z.int() });
type PurgedLink = z.infer<typeof PurgedLink>;

/**
 * Deletes at most `limit` links that are expired by Postgres's clock, retires their codes and inserts the changes into
 * the outbox, in one statement. Skips a link that is being claimed; one that was claimed in the meantime no longer
 * matches when its row is locked.
 */
function deleteExpiredLinks(db: CommonQueryMethods, limit: number): Promise<readonly PurgedLink[]> {
  return db.any(sql.type(PurgedLink)`
    WITH expired AS (
      SELECT id FROM links
      WHERE expires_at <= now() AND user_id IS NULL
      ORDER BY expires_at LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    ), link AS (
      DELETE FROM links USING expired WHERE links.id = expired.id
      RETURNING links.short_code, links.revision + 1 AS revision, 'expired' AS reason
    ), ${retireDeletedLinks}
    SELECT short_code AS "shortCode", revision FROM link
  `);
}
