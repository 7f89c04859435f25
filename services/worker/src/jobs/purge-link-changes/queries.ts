import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

/** Deletes at most `limit` rows that were projected over an hour ago; returns how many. */
export function deleteOldChanges(db: CommonQueryMethods, limit: number): Promise<number> {
  return db.oneFirst(sql.type(z.object({ count: z.int() }))`
    WITH deleted AS (
      DELETE FROM link_changes WHERE id IN (
        SELECT id FROM link_changes WHERE projected_at < now() - interval '1 hour'
        ORDER BY projected_at LIMIT ${limit}
      ) RETURNING 1
    )
    SELECT count(*)::int AS count FROM deleted
  `);
}
