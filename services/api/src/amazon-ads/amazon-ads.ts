import { randomBytes } from "node:crypto";
import { AmazonError, oauthError } from "@tapthru/core/amazon-ads";
import { actAs } from "@tapthru/core/platform/audit-log";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import * as calls from "@tapthru/proto/amazon-ads";
import { AmazonAdsConnection, type AmazonAdsResult, type finishAmazonAdsConnection } from "@tapthru/proto/amazon-ads";
import type { Context } from "koa";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import type { Guard } from "../callers/guards.ts";
import { requestActor } from "../callers/request-actor.ts";
import type { LiveSession } from "../callers/sessions.ts";
import { guarded, handlers } from "../calls/handlers.ts";
import { earningsRange } from "../earnings/earnings-range.ts";
import { ApiError } from "../http/errors.ts";
import { attributionRows } from "./attribution.ts";

/** Deadline of all requests to Amazon during one request of a user. */
const AMAZON_ADS_DEADLINE_MS = 8_000;

/** The callback redirects to the page even if Redis is unavailable. */
const sessionIfAvailable =
  ({ optionalSession }: Api): Guard<LiveSession | null> =>
  (ctx) =>
    optionalSession(ctx).catch((error) => {
      if (error instanceof RedisUnavailableError) return null;
      throw error;
    });

export const amazonAdsHandlers = handlers(calls, {
  getAmazonAdsAuthUrl: async ({ amazonAds, pendingAmazonLogins }, { ctx, caller }) => {
    if (amazonAds === null) throw new ApiError(calls.notConfigured);
    const codeVerifier = randomBytes(32).toString("base64url");
    const login = { sessionId: caller.id, codeVerifier };
    const state = await pendingAmazonLogins.add(login, ctx.state.redisBudget);
    return { url: amazonAds.loginPage({ state, codeVerifier }) };
  },

  finishAmazonAdsConnection: guarded(sessionIfAvailable, async (api, { ctx, caller, query }) => {
    const connecting = actAs(requestActor(ctx, caller), () => connect(api, ctx, caller, query));
    const result = await connecting.catch((err) => {
      ctx.state.log.warn({ event: "amazon_ads_connect_failed", err }, "failed to connect Amazon Ads");
      return "failed";
    });
    ctx.set("Location", `${api.publicBaseUrl}/amazon-ads-auth?result=${result}`);
    return {};
  }),

  getAmazonAdsConnection: async ({ db }, { userId }) => ({
    connection: await findConnection(db, userId),
  }),

  getAttribution: async (api, { userId, query }) => ({
    connection: await findConnection(api.db, userId),
    rows: await attributionRows(api, earningsRange(userId, query)),
  }),

  deleteAmazonAdsConnection: async ({ db }, { userId }) => {
    await db.query(sql.type(z.object({}))`
      DELETE FROM amazon_ads_connections WHERE user_id = ${userId}
    `);
    return {};
  },
});

/** The callback must belong to a login that this session started and that no earlier callback has used. */
async function connect(
  { db, amazonAds, pendingAmazonLogins }: Api,
  ctx: Context,
  session: LiveSession | null,
  { state, code, error }: z.output<typeof finishAmazonAdsConnection.query>,
): Promise<AmazonAdsResult> {
  if (session === null || amazonAds === null || state === undefined)
    throw new AmazonError("The callback has no session or no state");
  const pending = await pendingAmazonLogins.take(state, ctx.state.redisBudget);
  if (pending?.sessionId !== session.id)
    throw new AmazonError("The callback belongs to no pending login of this session");
  if (error === "access_denied") return "denied";
  if (code === undefined) {
    const reason = oauthError(error) ?? "no error";
    throw new AmazonError(`The callback from Amazon has no code (${reason})`);
  }
  const login = { code, codeVerifier: pending.codeVerifier };
  const deadline = AbortSignal.timeout(AMAZON_ADS_DEADLINE_MS);
  // Amazon accepts the code only once.
  const { refreshToken, name, email } = await ctx.state.whileWaiting(() => amazonAds.readAccount(login, deadline), {
    mayReject: false,
  });
  const sealedRefreshToken = amazonAds.sealToken(refreshToken, session.userId);
  // The figures of another account are none of this one.
  await db.query(sql.type(z.object({}))`
    WITH other AS (
      DELETE FROM amazon_ads_figures WHERE user_id IN (
        SELECT user_id FROM amazon_ads_connections
        WHERE user_id = ${session.userId} AND account_email IS DISTINCT FROM ${email}
      )
    )
    INSERT INTO amazon_ads_connections (user_id, sealed_refresh_token, account_name, account_email)
    VALUES (${session.userId}, ${sealedRefreshToken}, ${name}, ${email})
    ON CONFLICT (user_id) DO UPDATE SET
      sealed_refresh_token = excluded.sealed_refresh_token,
      account_name = excluded.account_name,
      account_email = excluded.account_email,
      connected_at = excluded.connected_at,
      next_read_at = DEFAULT, read_at = DEFAULT, has_attribution = DEFAULT, is_revoked = DEFAULT
  `);
  return "connected";
}

export function findConnection(db: Db<"maybeOne">, userId: number): Promise<AmazonAdsConnection | null> {
  return db.maybeOne(sql.type(AmazonAdsConnection)`
    SELECT account_name AS "accountName", account_email AS "accountEmail",
      utc_text(connected_at) AS "connectedAt", utc_text(read_at) AS "readAt",
      CASE WHEN is_revoked THEN 'revoked' WHEN read_at IS NULL THEN 'waiting'
        WHEN has_attribution THEN 'read' ELSE 'no-attribution' END AS state
    FROM amazon_ads_connections WHERE user_id = ${userId}
  `);
}
