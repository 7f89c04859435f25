import { sql } from "slonik";
import * as z from "zod/mini";

/** A position in the outbox, in the order of transactions. */
const Position = z.object({ transactionId: z.string(), id: z.int() });
export type Position = z.infer<typeof Position>;

const ChangePage = z.object({
  /** The snapshot of the query, in Postgres's text format. */
  snapshot: z.string(),
  /** Unix milliseconds by Postgres's clock. */
  now: z.number(),
  changes: z.array(z.tuple([z.string(), z.int()])),
  /** The position after which to continue; null at the end. */
  next: z.nullable(Position),
});
export type ChangePage = z.infer<typeof ChangePage>;

export interface ChangesQuery {
  /** Rows visible in this snapshot are omitted. */
  knownSnapshot: string;
  after: Position;
  /** Whether to include first revisions: created links. */
  includeCreated: boolean;
  limit: number;
}

/** Codes and revisions of the next outbox rows. Reads at most `limit` rows, including omitted ones. */
export function changesQuery({ knownSnapshot, after, includeCreated, limit }: ChangesQuery) {
  return sql.type(ChangePage)`
    WITH page AS (
      SELECT transaction_id, id, short_code, revision FROM link_changes
      WHERE (transaction_id, id) > (${after.transactionId}::xid8, ${after.id}::int8)
      ORDER BY transaction_id, id LIMIT ${limit}
    )
    SELECT
      pg_current_snapshot()::text AS snapshot,
      extract(epoch FROM clock_timestamp()) * 1000 AS now,
      (
        SELECT coalesce(jsonb_agg(jsonb_build_array(short_code, revision)), '[]') FROM page
        WHERE NOT pg_visible_in_snapshot(transaction_id, ${knownSnapshot}::pg_snapshot)
          AND (revision > 1 OR ${includeCreated})
      ) AS changes,
      (
        SELECT jsonb_build_object('transactionId', transaction_id::text, 'id', id) FROM page
        ORDER BY transaction_id, id OFFSET ${limit - 1}
      ) AS next
  `;
}
