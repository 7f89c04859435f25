import { TOKEN_RECHECK_INTERVAL_MS } from "@tapthru/proto/rules/limits";
import { milliseconds } from "@tapthru/runtime/postgres/milliseconds";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const Account = z.object({ userId: z.int(), firebaseUid: z.string() });
export type Account = z.infer<typeof Account>;

/**
 * Takes accounts with webhooks that were last checked long ago, so that no other replica checks them too. A result that is lost
 * is missing until the next check.
 * @param limit of webhooks
 */
export function takeAccounts(
  db: Pick<CommonQueryMethods, "any">,
  limit: number,
): Promise<readonly Account[]> {
  return db.any(sql.type(Account)`
    WITH due AS (
      SELECT id, user_id FROM webhooks
      WHERE disabled_at IS NULL
        AND account_checked_at <= now() - ${milliseconds(TOKEN_RECHECK_INTERVAL_MS)}
      ORDER BY account_checked_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE webhooks SET account_checked_at = now() FROM due WHERE webhooks.id = due.id
    )
    SELECT DISTINCT users.id AS "userId", firebase_uid AS "firebaseUid"
    FROM due JOIN users ON users.id = due.user_id
  `);
}

/** Stores which of the accounts cannot be used any more, for all their webhooks. */
export async function storeEnded(
  db: Pick<CommonQueryMethods, "query">,
  { checked, ended }: { checked: readonly number[]; ended: readonly number[] },
): Promise<void> {
  await db.query(sql.type(z.object({}))`
    WITH changed AS (
      SELECT id, user_id = ANY(${sql.array(ended, "int4")}) AS is_ended FROM webhooks
      WHERE user_id = ANY(${sql.array(checked, "int4")})
        AND account_ended <> (user_id = ANY(${sql.array(ended, "int4")}))
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE webhooks SET account_ended = is_ended FROM changed WHERE webhooks.id = changed.id
  `);
}
