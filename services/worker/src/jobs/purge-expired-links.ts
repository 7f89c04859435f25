import { retireDeletedLinks } from "@tapthru/core/outbox";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { dueKind } from "../due.ts";

const isExpired = sql.fragment`expires_at <= now() AND user_id IS NULL`;

/** Deletes anonymous links past their expiry; their codes are never used again. Nothing of it is in the activity. */
export const purgeExpiredLinks = dueKind({
  everyMs: 60 * 60_000,
  limit: 500,
  claim: ({ db }: Pick<App, "db" | "logger">, { limit, isNotSetAside }) =>
    db.anyFirst(sql.type(z.object({ id: z.int() }))`
      SELECT id FROM links WHERE ${isExpired} AND ${isNotSetAside(sql.fragment`links.id`)}
      ORDER BY expires_at, id LIMIT ${limit}
    `),
  keyOf: (id) => id,
  // Skips a link that is being claimed; one that was claimed in the meantime no longer matches when its row is locked.
  workOnAll: ({ db }, ids) =>
    db.query(sql.type(z.object({}))`
      WITH expired AS (
        SELECT id FROM links WHERE id = ANY(${sql.array(ids, "int8")}) AND ${isExpired}
        FOR UPDATE SKIP LOCKED
      ), link AS (
        DELETE FROM links USING expired WHERE links.id = expired.id
        RETURNING links.short_code, links.revision + 1 AS revision, 'expired' AS reason
      ), ${retireDeletedLinks}
      SELECT
    `),
});
