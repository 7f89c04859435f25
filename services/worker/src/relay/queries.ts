import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

/** The advisory lock of the active relay. */
const RELAY_LOCK = 0x7e1a;

/** False while another relay is active; otherwise locks until the end of the transaction. */
export function acquireRelayLock(transaction: CommonQueryMethods): Promise<boolean> {
  return transaction.oneFirst(sql.type(z.object({ taken: z.boolean() }))`
    SELECT pg_try_advisory_xact_lock(${RELAY_LOCK}) AS taken
  `);
}

const Change = z.object({ id: z.int(), shortCode: z.string() });
export type Change = z.infer<typeof Change>;

/** The oldest unprojected rows of the outbox, or of those after a row. */
export function findUnprojected(
  db: CommonQueryMethods,
  limit: number,
  afterId = 0,
): Promise<readonly Change[]> {
  return db.any(sql.type(Change)`
    SELECT id, short_code AS "shortCode" FROM link_changes
    WHERE projected_at IS NULL AND id > ${afterId} ORDER BY id LIMIT ${limit}
  `);
}

export async function markProjected(db: CommonQueryMethods, ids: readonly number[]): Promise<void> {
  await db.query(sql.type(z.object({}))`
    UPDATE link_changes SET projected_at = now() WHERE id = ANY(${sql.array(ids, "int8")})
  `);
}
