import type { Router } from "@koa/router";
import * as calls from "@tapthru/proto/http/amazon-ads";
import { actAs } from "@tapthru/runtime/audit-log";
import { RedisUnavailableError } from "@tapthru/runtime/redis/redis";
import type { Context } from "koa";
import { ApiError } from "../errors.ts";
import { type Guard, mount } from "../http/mount.ts";
import { requestActor } from "../http/request-actor.ts";
import type { LiveSession } from "../sessions/sessions.ts";
import type { AmazonAds } from "./amazon-ads.ts";
import {
  type ConnectDependencies,
  ForeignCallbackError,
  finishConnection,
  startConnection,
} from "./connect.ts";
import { checkConnection, connectionReply } from "./connection.ts";
import { deleteConnection, findConnection } from "./queries.ts";

export interface AmazonAdsRoutesDependencies extends ConnectDependencies {
  /** Null if Amazon Ads is not configured. */
  amazonAds: AmazonAds | null;
  publicBaseUrl: string;
  requiredSession: Guard<LiveSession>;
  optionalSession: Guard<LiveSession | null>;
}

export function amazonAdsRoutes(router: Router, deps: AmazonAdsRoutesDependencies) {
  const { db, amazonAds, publicBaseUrl, requiredSession, optionalSession } = deps;

  mount(router, calls.getAmazonAdsAuthUrl, requiredSession, async (ctx, { caller, query }) => {
    if (amazonAds === null) throw new ApiError("not-configured");
    const { redisBudget } = ctx.state;
    const url = await startConnection(deps, amazonAds, caller, query.region, redisBudget);
    return { status: 200, body: { url } };
  });

  /** The callback redirects to the page even if Redis is unavailable. */
  const sessionIfAvailable: Guard<LiveSession | null> = (ctx) =>
    optionalSession(ctx).catch((error) => {
      if (error instanceof RedisUnavailableError) return null;
      throw error;
    });

  mount(router, calls.finishAmazonAdsConnection, sessionIfAvailable, async (ctx, input) => {
    const actor = requestActor(ctx, input.caller);
    const finished = actAs(actor, () => finish(ctx, input.caller, input.query));
    const result = await finished.catch((err) => {
      ctx.state.log.warn(
        { event: "amazon_ads_connect_failed", err },
        "failed to connect Amazon Ads",
      );
      return "failed";
    });
    ctx.set("Location", `${publicBaseUrl}/amazon-ads-auth?result=${result}`);
    return { status: 302, body: {} };
  });

  async function finish(
    ctx: Context,
    session: LiveSession | null,
    parameters: Parameters<typeof finishConnection>[3],
  ): Promise<calls.AmazonAdsResult> {
    if (session === null || amazonAds === null) {
      throw new ForeignCallbackError(
        "The callback has no session, or Amazon Ads is not configured",
      );
    }
    return finishConnection(deps, amazonAds, session, parameters, ctx.state);
  }

  mount(
    router,
    calls.getAmazonAdsConnection,
    requiredSession,
    async (ctx, { caller: { userId } }) => {
      if (amazonAds !== null) {
        await checkConnection(db, amazonAds, userId, ctx.state.whileWaiting).catch((err) => {
          ctx.state.log.warn(
            { event: "amazon_ads_check_failed", err },
            "failed to check Amazon Ads connection",
          );
        });
      }
      const row = await findConnection(db, userId);
      return { status: 200, body: { connection: row && connectionReply(row) } };
    },
  );

  mount(router, calls.deleteAmazonAdsConnection, requiredSession, async (_ctx, { caller }) => {
    await deleteConnection(db, caller.userId);
    return { status: 200, body: {} };
  });
}
