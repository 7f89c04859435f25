import { retireDeletedLinks } from "@tapthru/core/outbox";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { DELETED_LINK_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { dueKind } from "../due.ts";

const isExpired = sql.fragment`expires_at <= now() AND user_id IS NULL`;
const isLost = sql.fragment`deleted_at <= now() - ${milliseconds(DELETED_LINK_LIFETIME_MS)}`;

/**
 * Purges anonymous links past their expiry, and deleted links that can no longer be restored; their codes are never used again.
 * Nothing of it is in the activity.
 */
export const purgeExpiredLinks = dueKind({
  everyMs: 60 * 60_000,
  limit: 500,
  claim({ db }: Pick<App, "db" | "logger">, { limit, isNotQuarantined }) {
    const found = sql.fragment`SELECT id FROM all_links AS link WHERE ${isNotQuarantined(sql.fragment`link.id`)}`;
    return db.anyFirst(sql.type(z.object({ id: z.int() }))`
      SELECT * FROM (${found} AND ${isExpired} ORDER BY expires_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED) AS expired
      UNION ALL
      SELECT * FROM (${found} AND ${isLost} ORDER BY deleted_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED) AS lost
      LIMIT ${limit}
    `);
  },
  keyOf: (id) => id,
  // Both skip a link that is being claimed or restored. One that was in the meantime no longer matches when its row is locked.
  workOnAll: ({ db }, ids) =>
    db.query(sql.type(z.object({}))`
      WITH due AS (
        SELECT id FROM all_links WHERE id = ANY(${sql.array(ids, "int8")}) AND (${isExpired} OR ${isLost})
        FOR UPDATE SKIP LOCKED
      ), link AS (
        DELETE FROM all_links USING due WHERE all_links.id = due.id
        RETURNING all_links.short_code, all_links.revision + 1 AS revision,
          CASE WHEN deleted_at IS NULL THEN 'expired' ELSE 'deleted' END AS reason
      ), ${retireDeletedLinks}
      SELECT
    `),
});
