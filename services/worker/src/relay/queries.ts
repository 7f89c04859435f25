import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

/** Of Postgres's advisory locks, the one that the relay at work holds. */
const RELAY_LOCK = 0x7e1a;

/** False while another relay is at work; else the turn lasts as long as the transaction. */
export function takeTurn(transaction: CommonQueryMethods): Promise<boolean> {
  return transaction.oneFirst(sql.type(z.object({ taken: z.boolean() }))`
    SELECT pg_try_advisory_xact_lock(${RELAY_LOCK}) AS taken
  `);
}

const Change = z.object({ id: z.int(), shortCode: z.string() });

/** The oldest rows of the outbox that were not projected yet. */
export function findUnprojected(
  db: CommonQueryMethods,
  limit: number,
): Promise<readonly z.infer<typeof Change>[]> {
  return db.any(sql.type(Change)`
    SELECT id, short_code AS "shortCode" FROM link_changes
    WHERE projected_at IS NULL ORDER BY id LIMIT ${limit}
  `);
}

export async function markProjected(db: CommonQueryMethods, ids: readonly number[]): Promise<void> {
  await db.query(sql.type(z.object({}))`
    UPDATE link_changes SET projected_at = now() WHERE id = ANY(${sql.array(ids, "int8")})
  `);
}

const Backlog = z.object({
  pending: z.int(),
  /** Age of the oldest row in seconds; 0 when there is none. */
  lag: z.number(),
});
export type Backlog = z.infer<typeof Backlog>;

export function findBacklog(db: CommonQueryMethods): Promise<Backlog> {
  return db.one(sql.type(Backlog)`
    WITH pending AS (SELECT id, created_at FROM link_changes WHERE projected_at IS NULL)
    SELECT
      (SELECT count(*) FROM pending) AS pending,
      coalesce(
        (SELECT extract(epoch FROM now() - created_at) FROM pending ORDER BY id LIMIT 1), 0
      ) AS lag
  `);
}
