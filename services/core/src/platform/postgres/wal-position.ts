import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const WalPosition = z.object({
  /** The same for a primary and its standbys. */
  clusterId: z.string(),
  isStandby: z.boolean(),
  /** In bytes: on a primary what was written, on a standby what was replayed. */
  position: z.number(),
});
export type WalPosition = z.infer<typeof WalPosition>;

/** How far a server is in the write-ahead log. A commit that was confirmed is below this position of the primary. */
export function readWalPosition(db: Pick<CommonQueryMethods, "one">): Promise<WalPosition> {
  return db.one(sql.type(WalPosition)`
    SELECT
      (SELECT system_identifier::text FROM pg_control_system()) AS "clusterId",
      pg_is_in_recovery() AS "isStandby",
      (
        CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END - '0/0'
      )::float8 AS position
  `);
}
