import { randomBytes } from "node:crypto";
import type { AmazonAdsResult } from "@tapthru/proto/http/amazon-ads";
import type { AdsRegion } from "@tapthru/proto/rules/amazon/marketplaces";
import { AMAZON_ADS_DEADLINE_MS } from "@tapthru/proto/rules/limits";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import type { DefaultState } from "koa";
import type { LiveSession } from "../sessions/sessions.ts";
import type { AmazonAds } from "./amazon-ads.ts";
import type { PendingLogins } from "./pending-logins.ts";
import { saveConnection } from "./queries.ts";
import { AmazonError, oauthError } from "./request-amazon.ts";

export interface ConnectDependencies {
  db: Db<"maybeOne" | "query">;
  pendingAmazonLogins: PendingLogins;
}

/** Stores a pending login and returns the address of the login page at Amazon. Throws RedisUnavailableError. */
export async function startConnection(
  { pendingAmazonLogins }: Pick<ConnectDependencies, "pendingAmazonLogins">,
  amazonAds: AmazonAds,
  { id: sessionId }: LiveSession,
  region: AdsRegion,
  budget: RedisBudget,
): Promise<string> {
  const codeVerifier = randomBytes(32).toString("base64url");
  const state = await pendingAmazonLogins.add({ sessionId, region, codeVerifier }, budget);
  return amazonAds.login.authorizeUrl({ region, state, codeVerifier });
}

/** Query of the redirect from Amazon. */
interface CallbackParameters {
  state?: string | undefined;
  code?: string | undefined;
  error?: string | undefined;
}

/** The callback belongs to no pending login of this session. */
export class ForeignCallbackError extends Error {
  override readonly name = "ForeignCallbackError";
}

/**
 * Connects the user of the session. The callback must belong to a login that this session started and that no
 * earlier callback has used.
 * @throws ForeignCallbackError, AmazonError, RedisUnavailableError, PostgresUnavailableError
 */
export async function finishConnection(
  { db, pendingAmazonLogins }: ConnectDependencies,
  amazonAds: AmazonAds,
  session: LiveSession,
  { state, code, error }: CallbackParameters,
  { redisBudget, whileWaiting }: Pick<DefaultState, "redisBudget" | "whileWaiting">,
): Promise<Exclude<AmazonAdsResult, "failed">> {
  const pending = state === undefined ? null : await pendingAmazonLogins.take(state, redisBudget);
  if (pending?.sessionId !== session.id) {
    throw new ForeignCallbackError("The callback belongs to no pending login of this session");
  }
  if (error === "access_denied") return "denied";
  if (code === undefined) {
    throw new AmazonError(
      `The callback from Amazon has no code (${oauthError(error) ?? "no error"})`,
    );
  }

  const { userId } = session;
  const { region, codeVerifier } = pending;
  const deadline = AbortSignal.timeout(AMAZON_ADS_DEADLINE_MS);
  const readAccount = async () => {
    const { accessToken, refreshToken } = await amazonAds.login.exchangeCode(
      { region, code, codeVerifier },
      deadline,
    );
    return { refreshToken, account: await amazonAds.readAccount(region, accessToken, deadline) };
  };
  // Amazon accepts the code only once.
  const { refreshToken, account } = await whileWaiting(readAccount, { mayReject: false });
  const sealedRefreshToken = amazonAds.sealToken(refreshToken, userId);
  await saveConnection(db, { userId, region, sealedRefreshToken, account });
  return "connected";
}
