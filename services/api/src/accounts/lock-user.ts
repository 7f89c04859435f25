import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

/**
 * Makes other transactions that change keys, webhooks, labels or link patterns of the user wait, but none that creates links.
 * @returns false if the user no longer exists
 */
export async function lockUser(
  transaction: Pick<CommonQueryMethods, "maybeOne">,
  userId: number,
): Promise<boolean> {
  const user = await transaction.maybeOne(sql.type(z.object({ id: z.int() }))`
    SELECT id FROM users WHERE id = ${userId} FOR NO KEY UPDATE
  `);
  return user !== null;
}
