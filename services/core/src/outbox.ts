import { sql } from "slonik";
import * as z from "zod/mini";

/**
 * The outbox entries of a statement that changes links, without values, so that pg can run its `.sql` too. The
 * statement's CTE `link` returns `short_code` and `revision`, one row per changed link. A condition may follow.
 */
export const insertLinkChanges = sql.fragment`INSERT INTO link_changes (short_code, revision)
    SELECT short_code, revision FROM link`;

/**
 * CTEs that retire the codes of deleted links, so that they are never reused, and add the outbox entries. The
 * statement's CTE `link` deletes the links and returns `short_code`, `revision + 1 AS revision`, and the literal
 * 'deleted' or 'expired' as `reason`.
 */
export const retireDeletedLinks = sql.fragment`retired_code AS (
      INSERT INTO retired_codes (short_code, reason, revision)
      SELECT short_code, reason, revision FROM link
      ON CONFLICT DO NOTHING
    ), link_change AS (
      ${insertLinkChanges}
    )`;

/** CTEs that let what refers to codes follow new ones. The statement's CTE `renamed` returns `short_code` and `earlier_code`. */
export const followNewCodes = sql.fragment`abuse_report AS (
      UPDATE abuse_reports SET short_code = renamed.short_code FROM renamed WHERE abuse_reports.short_code = earlier_code
    ), recent AS (
      UPDATE recent_creates SET short_code = renamed.short_code FROM renamed WHERE recent_creates.short_code = earlier_code
    ), key AS (
      UPDATE idempotency_keys SET short_code = renamed.short_code FROM renamed WHERE idempotency_keys.short_code = earlier_code
    )`;

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
  /** True to include first revisions, which are created links. */
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

/** A snapshot without visible transactions: with it all kept rows are read. */
export const EMPTY_SNAPSHOT = "1:1:";

/**
 * Reads all rows that are not visible in a snapshot, page by page: each row as soon as it is visible, regardless of the
 * order of commits.
 * @returns the snapshot from which to continue
 */
export async function readChanges(
  knownSnapshot: string,
  readPage: (after: Position) => Promise<ChangePage>,
): Promise<string> {
  const { xmin, xmax } = snapshotBounds(knownSnapshot);
  const first = await readPage({ transactionId: String(xmin), id: 0 });
  for (let { next } = first; next !== null; ) next = (await readPage(next)).next;
  // The server was restored, or lost its last transactions: read all rows again.
  return snapshotBounds(first.snapshot).xmax < xmax ? EMPTY_SNAPSHOT : first.snapshot;
}

/** All transactions before `xmin` are visible or aborted; none from `xmax` on had started. */
function snapshotBounds(snapshot: string): { xmin: bigint; xmax: bigint } {
  const [xmin = "", xmax = ""] = snapshot.split(":");
  return { xmin: BigInt(xmin), xmax: BigInt(xmax) };
}
