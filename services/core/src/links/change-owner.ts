import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

/**
 * Makes a change of what a user decided for all of their links known to the redirects, in its transaction: their tags, channels, stores or
 * routing. A trigger adds the outbox row, and does the same for what `users` has.
 */
export async function changeOwner(transaction: Pick<CommonQueryMethods, "query">, userId: number): Promise<void> {
  await transaction.query(sql.type(z.object({}))`UPDATE users SET revision = revision + 1 WHERE id = ${userId}`);
}
