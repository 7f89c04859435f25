import type { AmazonAdsConnection } from "@tapthru/proto/http/amazon-ads";
import { AMAZON_ADS_DEADLINE_MS } from "@tapthru/proto/rules/limits";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import type { WhileWaiting } from "../http/shed-load.ts";
import type { AmazonAds } from "./amazon-ads.ts";
import {
  type ConnectionRow,
  claimCheck,
  endConnection,
  renewConnection,
  type UsableConnection,
} from "./queries.ts";
import { AmazonError } from "./request-amazon.ts";

/**
 * Checks with Amazon at most once an hour whether the user's connection is still valid, updates the stored
 * account data and encrypts the token with the newest key.
 * @throws AmazonError or SealError if the check fails
 */
export async function checkConnection(
  db: Db<"maybeOne" | "query">,
  amazonAds: AmazonAds,
  userId: number,
  whileWaiting: WhileWaiting,
): Promise<void> {
  const before = await claimCheck(db, userId);
  if (before === null) return;
  try {
    // The request continues under overload, because this hour's check cannot be claimed again.
    const renewed = await whileWaiting(() => renew(amazonAds, userId, before), {
      mayReject: false,
    });
    await renewConnection(db, { userId, before }, renewed);
  } catch (error) {
    const hasEnded = error instanceof AmazonError && error.isFinal;
    if (!hasEnded) throw error;
    await endConnection(db, { userId, before });
  }
}

async function renew(
  { login, readAccount, openToken, sealToken }: AmazonAds,
  userId: number,
  { region, sealedRefreshToken }: UsableConnection,
) {
  const deadline = AbortSignal.timeout(AMAZON_ADS_DEADLINE_MS);
  const token = openToken(sealedRefreshToken, userId);
  const { accessToken, refreshToken } = await login.refresh(region, token, deadline);
  const account = await readAccount(region, accessToken, deadline);
  return { sealedRefreshToken: sealToken(refreshToken, userId), account };
}

export function connectionReply({ connectedAt, ...row }: ConnectionRow): AmazonAdsConnection {
  return { ...row, connectedAt: new Date(connectedAt).toISOString() };
}
