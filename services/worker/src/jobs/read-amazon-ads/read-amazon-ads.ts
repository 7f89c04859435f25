import { AmazonError } from "@tapthru/core/amazon-ads";
import { forEachItem, isNotSetAside } from "@tapthru/core/platform/failed-items";
import { changing, type Db } from "@tapthru/core/platform/postgres/postgres";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { Job } from "../../app.ts";
import { readRetryAfter } from "../../webhooks/attempt-times.ts";
import type { ReadAttribution } from "./read-attribution.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const USERS_PER_ROUND = 5;
const USER_DEADLINE_MS = 2 * MINUTE_MS;
/** Longer than a round. */
export const LEASE_MS = 12 * MINUTE_MS;
/** How much is read at first, and again each day: Amazon corrects figures later. */
const [FIRST_DAYS, REREAD_DAYS] = [90, 30];
const ROWS_PER_STATEMENT = 5_000;

const KIND = "read-amazon-ads";

/** Reads Amazon Attribution for connections that are due, each once a day. */
export const readAmazonAds: Job<"db" | "logger" | "readAttribution"> = async (
  { db, logger, readAttribution },
  _payload,
  { signal },
) => {
  if (readAttribution === null) return;
  await forEachItem(
    { db, logger, kind: KIND, signal },
    await claimDueConnections(db, { limit: USERS_PER_ROUND, leaseMs: LEASE_MS }),
    ({ userId }) => userId,
    async (connection) => {
      const days = { from: daysAgo(connection.wasRead ? REREAD_DAYS : FIRST_DAYS), to: daysAgo(1) };
      try {
        const deadline = AbortSignal.any([signal, AbortSignal.timeout(USER_DEADLINE_MS)]);
        await store(db, connection, days.from, await readAttribution(connection, days, deadline));
      } catch (err) {
        signal.throwIfAborted();
        if (!(err instanceof AmazonError)) throw err;
        logger.warn({ event: "amazon_ads_not_read", userId: connection.userId, err }, "failed to read Amazon Ads");
        await postpone(db, connection, err);
      }
    },
  );
};

/** Yesterday in UTC has begun everywhere. */
const daysAgo = (count: number) => new Date(Date.now() - count * DAY_MS).toISOString().slice(0, 10);

const Nothing = z.object({});
const DueConnection = z.object({ userId: z.int(), sealedRefreshToken: z.string(), wasRead: z.boolean() });
type DueConnection = z.infer<typeof DueConnection>;

/** Those of users who may act. Until the lease ends no other worker reads them. */
export function claimDueConnections(db: Db<"any">, { limit, leaseMs }: { limit: number; leaseMs: number }) {
  return db.any(changing(DueConnection)`
    WITH due AS (
      SELECT user_id FROM amazon_ads_connections
      WHERE next_read_at <= now() AND NOT is_revoked AND ${isNotSetAside(KIND, sql.fragment`user_id`)}
        AND EXISTS (SELECT FROM users WHERE id = user_id AND state = 'enabled')
        AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = amazon_ads_connections.user_id)
      ORDER BY next_read_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE amazon_ads_connections AS connection SET next_read_at = now() + ${milliseconds(leaseMs)}
    FROM due WHERE connection.user_id = due.user_id
    RETURNING connection.user_id AS "userId", sealed_refresh_token AS "sealedRefreshToken",
      read_at IS NOT NULL AS "wasRead"
  `);
}

/** Not if the user disconnected meanwhile, or connected again. */
const isSame = ({ userId, sealedRefreshToken }: DueConnection) => sql.fragment`
  user_id = ${userId} AND sealed_refresh_token = ${sealedRefreshToken}
`;

/** Replaces the figures since a day. */
function store(
  db: CommonQueryMethods,
  connection: DueConnection,
  from: string,
  found: Awaited<ReturnType<ReadAttribution>>,
) {
  return db.transaction(async (transaction) => {
    const { rowCount } = await transaction.query(sql.type(Nothing)`
      UPDATE amazon_ads_connections
      SET read_at = now(), has_attribution = ${found.hasAttribution}, next_read_at = now() + interval '1 day'
      WHERE ${isSame(connection)}
    `);
    if (rowCount === 0) return;
    await transaction.query(sql.type(Nothing)`
      DELETE FROM amazon_ads_figures WHERE user_id = ${connection.userId} AND day >= ${from}::text::date
    `);
    for (let i = 0; i < found.rows.length; i += ROWS_PER_STATEMENT) {
      await transaction.query(sql.type(Nothing)`
        INSERT INTO amazon_ads_figures
        SELECT ${connection.userId}, row.* FROM jsonb_to_recordset(${sql.jsonb(found.rows.slice(i, i + ROWS_PER_STATEMENT))})
          AS row (date date, "advertiserName" text, currency text, "campaignId" text, "adGroupId" text,
            "Click-throughs" integer, "attributedTotalDetailPageViewsClicks14d" integer,
            "attributedTotalAddToCartClicks14d" integer, "attributedTotalPurchases14d" integer, sales bigint)
      `);
    }
  });
}

/** A user who withdrew the consent has to connect again. */
async function postpone(db: Db<"query">, connection: DueConnection, { response }: AmazonError) {
  const waitMs = readRetryAfter(response?.retryAfter ?? null, Date.now()) ?? 60 * MINUTE_MS;
  await db.query(sql.type(Nothing)`
    UPDATE amazon_ads_connections SET is_revoked = ${response?.reason === "invalid_grant"},
      next_read_at = now() + ${milliseconds(Math.max(MINUTE_MS, waitMs))}
    WHERE ${isSame(connection)}
  `);
}
