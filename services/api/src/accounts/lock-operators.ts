import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";

const Operator = z.object({ id: z.int() });

/** The operators who can log in. Until the transaction ends no other one removes one of them. */
export async function lockOperators(transaction: Db<"any">): Promise<number[]> {
  // A statement of its own: the next one sees what another transaction changed meanwhile.
  await transaction.any(sql.type(Operator)`
    SELECT id FROM users WHERE is_operator ORDER BY id FOR NO KEY UPDATE
  `);
  const operators = await transaction.any(sql.type(Operator)`
    SELECT id FROM users WHERE is_operator AND state = 'enabled'
      AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  `);
  return operators.map(({ id }) => id);
}
