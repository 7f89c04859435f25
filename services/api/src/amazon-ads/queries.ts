import { AdsProfile } from "@tapthru/proto/http/amazon-ads";
import { ADS_REGIONS, type AdsRegion } from "@tapthru/proto/rules/amazon/marketplaces";
import { AMAZON_ADS_CHECK_INTERVAL_MS } from "@tapthru/proto/rules/limits";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { milliseconds } from "@tapthru/runtime/postgres/values";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { AmazonAccount } from "./account-reader.ts";

const region = z.enum(ADS_REGIONS);

const ConnectionRow = z.object({
  region,
  accountName: z.nullable(z.string()),
  accountEmail: z.nullable(z.string()),
  profiles: z.array(AdsProfile),
  /** Unix milliseconds. */
  connectedAt: z.number(),
  hasEnded: z.boolean(),
});
export type ConnectionRow = z.infer<typeof ConnectionRow>;

const UsableConnection = z.object({ region, sealedRefreshToken: z.string() });
export type UsableConnection = z.infer<typeof UsableConnection>;

interface NewConnection {
  userId: number;
  region: AdsRegion;
  sealedRefreshToken: string;
  account: AmazonAccount;
}

/** Replaces an existing connection of the user. */
export async function saveConnection(
  db: Db<"maybeOne" | "query">,
  { userId, region, sealedRefreshToken, account }: NewConnection,
): Promise<void> {
  const { name, email, profiles } = account;
  await db.query(sql.type(z.object({}))`
    INSERT INTO amazon_ads_connections
      (user_id, region, sealed_refresh_token, account_name, account_email, profiles)
    VALUES (${userId}, ${region}, ${sealedRefreshToken}, ${name}, ${email},
      ${JSON.stringify(profiles)}::jsonb)
    ON CONFLICT (user_id) DO UPDATE SET
      region = excluded.region,
      sealed_refresh_token = excluded.sealed_refresh_token,
      account_name = excluded.account_name,
      account_email = excluded.account_email,
      profiles = excluded.profiles,
      connected_at = excluded.connected_at,
      checked_at = excluded.checked_at
  `);
}

export function findConnection(db: Db<"maybeOne">, userId: number) {
  return db.maybeOne(sql.type(ConnectionRow)`
    SELECT region, account_name AS "accountName", account_email AS "accountEmail", profiles,
      connected_at AS "connectedAt", sealed_refresh_token IS NULL AS "hasEnded"
    FROM amazon_ads_connections WHERE user_id = ${userId}
  `);
}

/** Returns the connection to one caller per hour, who must then check it with Amazon; null otherwise. */
export function claimCheck(db: Db<"maybeOne" | "query">, userId: number) {
  return db.maybeOne(sql.type(UsableConnection)`
    UPDATE amazon_ads_connections SET checked_at = now()
    WHERE user_id = ${userId} AND sealed_refresh_token IS NOT NULL
      AND checked_at < now() - ${milliseconds(AMAZON_ADS_CHECK_INTERVAL_MS)}
    RETURNING region, sealed_refresh_token AS "sealedRefreshToken"
  `);
}

interface CheckedConnection {
  userId: number;
  /** The connection before the check. A connection created since then is not changed. */
  before: UsableConnection;
}

export async function renewConnection(
  db: Db<"maybeOne" | "query">,
  { userId, before }: CheckedConnection,
  { sealedRefreshToken, account }: Pick<NewConnection, "sealedRefreshToken" | "account">,
): Promise<void> {
  const { name, email, profiles } = account;
  await db.query(sql.type(z.object({}))`
    UPDATE amazon_ads_connections
    SET sealed_refresh_token = ${sealedRefreshToken}, account_name = ${name},
      account_email = ${email}, profiles = ${JSON.stringify(profiles)}::jsonb
    WHERE user_id = ${userId} AND sealed_refresh_token = ${before.sealedRefreshToken}
  `);
}

/** Deletes the token that Amazon rejected. The account data remains visible. */
export async function endConnection(
  db: Db<"maybeOne" | "query">,
  { userId, before }: CheckedConnection,
) {
  await db.query(sql.type(z.object({}))`
    UPDATE amazon_ads_connections SET sealed_refresh_token = NULL
    WHERE user_id = ${userId} AND sealed_refresh_token = ${before.sealedRefreshToken}
  `);
}

export async function deleteConnection(db: Db<"maybeOne" | "query">, userId: number) {
  await db.query(sql.type(z.object({}))`
    DELETE FROM amazon_ads_connections WHERE user_id = ${userId}
  `);
}
