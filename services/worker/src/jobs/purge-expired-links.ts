import { retireDeletedLinks } from "@tapthru/core/outbox";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { dueKind } from "../due.ts";

const isExpired = sql.fragment`expires_at <= now() AND user_id IS NULL`;

/** Without an actor: nothing is kept of links without an owner. */
export const purgeExpiredLinks = dueKind({
  everyMs: 60 * 60_000,
  limit: 500,
  claim: ({ db }: Pick<App, "db" | "logger" | "redirectStore">, { limit, isNotSetAside }) =>
    db.any(sql.type(z.object({ id: z.int() }))`
      SELECT id FROM links WHERE ${isExpired} AND ${isNotSetAside(sql.fragment`links.id`)}
      ORDER BY expires_at, id LIMIT ${limit}
    `),
  keyOf: ({ id }) => id,
  async workOnAll({ db, redirectStore }, found) {
    const links = await deleteExpiredLinks(
      db,
      found.map(({ id }) => id),
    );
    // If this fails, the relay writes the tombstones.
    await bestEffort(redirectStore.putMany(links.map(tombstone)));
  },
});

function tombstone({ shortCode, revision }: PurgedLink): CodeRecord {
  return { shortCode, record: { state: "gone", reason: "expired", revision } };
}

const PurgedLink = z.object({ shortCode: z.string(), revision: z.int() });
type PurgedLink = z.infer<typeof PurgedLink>;

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
