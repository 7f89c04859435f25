import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";

/**
 * The tables whose rows let others act for an account, read it, or be sent what happens in it, and the column that names the account.
 * Sessions of the api are in Redis; links of emails, by the id of the identity, in `identity.verification`.
 */
export const WAYS_IN = {
  users: [
    ["amazon_ads_connections", "user_id"],
    ["api_keys", "account_id"],
    ["api_keys", "user_id"],
    ["members", "account_id"],
    ["shared_pages", "user_id"],
    ["webhooks", "user_id"],
  ],
  identity: [
    ["passkey", "userId"],
    ["session", "userId"],
    ["twoFactor", "userId"],
  ],
} as const;

const Nothing = z.object({});

/**
 * Ends all of them but the password, and deletes what names who earns by new links or where they are: tags, fallbacks, domains and
 * the displayed name. @param userId null: the identity has no user
 */
export async function endWaysIn(transaction: Db<"query">, { uid, userId }: { uid: string; userId: number | null }) {
  for (const [table, column] of userId === null ? [] : WAYS_IN.users) {
    await transaction.query(sql.type(Nothing)`
      DELETE FROM ${sql.identifier([table])} WHERE ${sql.identifier([column])} = ${userId}
    `);
  }
  for (const [table, column] of WAYS_IN.identity) {
    await transaction.query(sql.type(Nothing)`
      DELETE FROM ${sql.identifier(["identity", table])} WHERE ${sql.identifier([column])} = ${uid}
    `);
  }
  await transaction.query(sql.type(Nothing)`UPDATE identity."user" SET "twoFactorEnabled" = false WHERE id = ${uid}`);
  if (userId === null) return;
  for (const table of ["channel_tags", "earlier_channel_tags", "domains"]) {
    await transaction.query(sql.type(Nothing)`DELETE FROM ${sql.identifier([table])} WHERE user_id = ${userId}`);
  }
  await transaction.query(sql.type(Nothing)`
    WITH channel AS (UPDATE channels SET fallback_url = NULL WHERE user_id = ${userId} AND fallback_url IS NOT NULL)
    UPDATE users SET displayed_name = NULL, shows_disclosure = false, revision = revision + 1 WHERE id = ${userId}
  `);
}
