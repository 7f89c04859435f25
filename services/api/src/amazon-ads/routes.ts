import { randomBytes } from "node:crypto";
import { actAs } from "@tapthru/core/platform/audit-log";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import * as calls from "@tapthru/proto/http/amazon-ads";
import { AMAZON_ADS_DEADLINE_MS } from "@tapthru/proto/rules/limits";
import type { DefaultState } from "koa";
import type * as z from "zod/mini";
import { ApiError } from "../errors.ts";
import type { Guard } from "../http/guards.ts";
import { type ApiRouter, mount, mountWithGuard } from "../http/mount.ts";
import { requestActor } from "../http/request-actor.ts";
import type { LiveSession } from "../sessions/sessions.ts";
import { type AmazonAds, AmazonError, oauthError } from "./amazon-ads.ts";
import type { PendingLogins } from "./pending-logins.ts";
import { deleteConnection, findConnection, saveConnection } from "./queries.ts";

export interface AmazonAdsRoutesDependencies {
  db: Db<"maybeOne" | "query">;
  pendingAmazonLogins: PendingLogins;
  /** Null if Amazon Ads is not configured. */
  amazonAds: AmazonAds | null;
  publicBaseUrl: string;
  optionalSession: Guard<LiveSession | null>;
}

export function amazonAdsRoutes(router: ApiRouter, deps: AmazonAdsRoutesDependencies) {
  const { db, pendingAmazonLogins, amazonAds, publicBaseUrl } = deps;
  const { optionalSession } = deps;

  mount(router, calls.getAmazonAdsAuthUrl, async (ctx, { caller }) => {
    if (amazonAds === null) throw new ApiError("not-configured");
    const codeVerifier = randomBytes(32).toString("base64url");
    const login = { sessionId: caller.id, codeVerifier };
    const state = await pendingAmazonLogins.add(login, ctx.state.redisBudget);
    return { status: 200, body: { url: amazonAds.loginPage({ state, codeVerifier }) } };
  });

  /** The callback redirects to the page even if Redis is unavailable. */
  const sessionIfAvailable: Guard<LiveSession | null> = (ctx) =>
    optionalSession(ctx).catch((error) => {
      if (error instanceof RedisUnavailableError) return null;
      throw error;
    });

  mountWithGuard(
    router,
    calls.finishAmazonAdsConnection,
    sessionIfAvailable,
    async (ctx, input) => {
      const { caller, query } = input;
      const connecting = actAs(requestActor(ctx, caller), () => connect(caller, query, ctx.state));
      const result = await connecting.catch((err) => {
        ctx.state.log.warn(
          { event: "amazon_ads_connect_failed", err },
          "failed to connect Amazon Ads",
        );
        return "failed";
      });
      ctx.set("Location", `${publicBaseUrl}/amazon-ads-auth?result=${result}`);
      return { status: 302, body: {} };
    },
  );

  /** The callback must belong to a login that this session started and that no earlier callback has used. */
  async function connect(
    session: LiveSession | null,
    { state, code, error }: z.output<typeof calls.finishAmazonAdsConnection.query>,
    { redisBudget, whileWaiting }: Pick<DefaultState, "redisBudget" | "whileWaiting">,
  ): Promise<calls.AmazonAdsResult> {
    if (session === null || amazonAds === null || state === undefined)
      throw new AmazonError("The callback has no session or no state");
    const pending = await pendingAmazonLogins.take(state, redisBudget);
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
    const { refreshToken, ...account } = await whileWaiting(
      () => amazonAds.readAccount(login, deadline),
      { mayReject: false },
    );
    const { userId } = session;
    const sealedRefreshToken = amazonAds.sealToken(refreshToken, userId);
    await saveConnection(db, { userId, sealedRefreshToken, ...account });
    return "connected";
  }

  mount(router, calls.getAmazonAdsConnection, async (_ctx, { caller }) => ({
    status: 200,
    body: { connection: await findConnection(db, caller.userId) },
  }));

  mount(router, calls.deleteAmazonAdsConnection, async (_ctx, { caller }) => {
    await deleteConnection(db, caller.userId);
    return { status: 200, body: {} };
  });
}
