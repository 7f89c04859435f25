import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

/**
 * Makes a change of what a user decided for all of their links known to the redirects, in its transaction: their name, tags, channels,
 * stores, routing, or that they are blocked.
 */
export async function changeOwner(transaction: Pick<CommonQueryMethods, "query">, userId: number): Promise<void> {
  await transaction.query(sql.type(z.object({}))`
    WITH owner AS (UPDATE users SET revision = revision + 1 WHERE id = ${userId} RETURNING id, revision)
    INSERT INTO link_changes (short_code, revision) SELECT '~' || id, revision FROM owner
  `);
}
