import {
  IDEMPOTENCY_KEY_LIFETIME_MS,
  REPEATED_CREATE_WINDOW_MS,
} from "@tapthru/proto/rules/limits";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const Deleted = z.object({ count: z.int() });

/** Deletes at most `limit` idempotency keys past their day and returns how many there were. */
export function deleteOldKeys(db: CommonQueryMethods, limit: number): Promise<number> {
  return db.oneFirst(sql.type(Deleted)`
    WITH deleted AS (
      DELETE FROM idempotency_keys WHERE key_hash IN (
        SELECT key_hash FROM idempotency_keys
        WHERE created_at < now() - ${sql.interval({ seconds: IDEMPOTENCY_KEY_LIFETIME_MS / 1000 })}
        ORDER BY created_at LIMIT ${limit}
      ) RETURNING 1
    )
    SELECT count(*)::int AS count FROM deleted
  `);
}

/**
 * Deletes at most `limit` rows whose window for repeated creates is over. A row may be made anew
 * while the statement waits for it, so its age counts twice: as it was found, and as it then is.
 */
export function deleteOldCreates(db: CommonQueryMethods, limit: number): Promise<number> {
  const isOver = sql.fragment`
    created_at < now() - ${sql.interval({ seconds: REPEATED_CREATE_WINDOW_MS / 1000 })}
  `;
  return db.oneFirst(sql.type(Deleted)`
    WITH deleted AS (
      DELETE FROM recent_creates WHERE (visitor_key, address_hash) IN (
        SELECT visitor_key, address_hash FROM recent_creates
        WHERE ${isOver} ORDER BY created_at LIMIT ${limit}
      ) AND ${isOver} RETURNING 1
    )
    SELECT count(*)::int AS count FROM deleted
  `);
}
