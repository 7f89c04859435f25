import { deleted, inserted } from "@tapthru/core/events";
import { actAs } from "@tapthru/core/platform/actor";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import * as calls from "@tapthru/proto/amazon-ads";
import type { Context } from "koa";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import type { Guard } from "../callers/guards.ts";
import { guarded, handlers } from "../callers/handlers.ts";
import { requestActor } from "../callers/request-actor.ts";
import type { LiveSession } from "../callers/sessions.ts";
import { ApiError } from "../http/errors.ts";

/** The callback redirects to the page even if Redis is unavailable. */
const sessionIfAvailable =
  ({ optionalSession }: Api): Guard<LiveSession | null> =>
  (ctx) =>
    optionalSession(ctx).catch((error) => {
      if (error instanceof RedisUnavailableError) return null;
      throw error;
    });

export const amazonAdsHandlers = handlers(calls, {
  getAmazonAdsAuthUrl: async ({ loginWithAmazon }, { ctx, caller }) => {
    if (loginWithAmazon === null) throw new ApiError(calls.notConfigured);
    return { url: await loginWithAmazon.start(caller.id, ctx.state.redisBudget) };
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

  getAmazonAdsConnection: async ({ db }, { userId }) => ({ connection: await findConnection(db, userId) }),

  deleteAmazonAdsConnection: async ({ db }, { userId }) => {
    await db.query(sql.type(z.object({}))`
      WITH ${deleted("amazon-ads-connection.deleted")`user_id = ${userId}`} SELECT
    `);
    return {};
  },
});

async function connect(
  { db, loginWithAmazon }: Api,
  { state: { redisBudget, releaseSlotDuring } }: Context,
  session: LiveSession | null,
  query: z.output<typeof calls.finishAmazonAdsConnection.query>,
): Promise<"connected" | "denied"> {
  if (session === null || loginWithAmazon === null) throw new Error("The callback has no session");
  // Amazon accepts the code only once.
  const account = await releaseSlotDuring(() => loginWithAmazon.finish(session, query, redisBudget), {
    mayReject: false,
  });
  if (account === null) return "denied";
  const { encryptedToken, name, email } = account;
  await db.query(sql.type(z.object({}))`
    WITH ${inserted("amazon-ads-connection.created")`(user_id, encrypted_refresh_token, account_name, account_email)
      VALUES (${session.userId}, ${encryptedToken}, ${name}, ${email})
      ON CONFLICT (user_id) DO UPDATE SET
        encrypted_refresh_token = excluded.encrypted_refresh_token,
        account_name = excluded.account_name,
        account_email = excluded.account_email,
        connected_at = excluded.connected_at`}
    SELECT
  `);
  return "connected";
}

export function findConnection(db: Db<"maybeOne">, userId: number): Promise<calls.AmazonAdsConnection | null> {
  return db.maybeOne(sql.type(calls.AmazonAdsConnection)`
    SELECT account_name AS "accountName", account_email AS "accountEmail", utc_text(connected_at) AS "connectedAt"
    FROM amazon_ads_connections WHERE user_id = ${userId}
  `);
}
