import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { AmazonAdsConnection } from "@tapthru/proto/http/amazon-ads";
import { sql } from "slonik";
import * as z from "zod/mini";

interface NewConnection {
  userId: number;
  sealedRefreshToken: string;
  name: string | null;
  email: string | null;
}

/** Replaces an existing connection of the user. */
export async function saveConnection(
  db: Db<"maybeOne" | "query">,
  { userId, sealedRefreshToken, name, email }: NewConnection,
): Promise<void> {
  await db.query(sql.type(z.object({}))`
    INSERT INTO amazon_ads_connections (user_id, sealed_refresh_token, account_name, account_email)
    VALUES (${userId}, ${sealedRefreshToken}, ${name}, ${email})
    ON CONFLICT (user_id) DO UPDATE SET
      sealed_refresh_token = excluded.sealed_refresh_token,
      account_name = excluded.account_name,
      account_email = excluded.account_email,
      connected_at = excluded.connected_at
  `);
}

const ConnectionRow = z.object({
  accountName: z.nullable(z.string()),
  accountEmail: z.nullable(z.string()),
  /** Unix milliseconds. */
  connectedAt: z.number(),
});

export async function findConnection(
  db: Db<"maybeOne">,
  userId: number,
): Promise<AmazonAdsConnection | null> {
  const row = await db.maybeOne(sql.type(ConnectionRow)`
    SELECT account_name AS "accountName", account_email AS "accountEmail",
      connected_at AS "connectedAt"
    FROM amazon_ads_connections WHERE user_id = ${userId}
  `);
  return row && { ...row, connectedAt: new Date(row.connectedAt).toISOString() };
}

export async function deleteConnection(db: Db<"maybeOne" | "query">, userId: number) {
  await db.query(sql.type(z.object({}))`
    DELETE FROM amazon_ads_connections WHERE user_id = ${userId}
  `);
}
