import { finishAmazonAdsConnection } from "@tapthru/proto/http/amazon-ads";
import type { SafeFetch } from "@tapthru/runtime/safe-fetch/safe-fetch";
import { createSealer } from "@tapthru/runtime/sealer";
import { type AccountReader, createAccountReader } from "./account-reader.ts";
import { createLoginWithAmazon, type LoginWithAmazon } from "./login-with-amazon.ts";

/** Operations for connecting to Amazon Ads and using a connection. */
export interface AmazonAds {
  login: LoginWithAmazon;
  readAccount: AccountReader;
  /** Encrypts a token for storage. Only `openToken` with the same user id decrypts it. */
  sealToken(token: string, userId: number): string;
  /** @throws SealError */
  openToken(sealed: string, userId: number): string;
}

export interface AmazonAdsOptions {
  clientId: string;
  clientSecret: string;
  /** Newest first. */
  encryptionKeys: readonly string[];
  publicBaseUrl: string;
  safeFetch: SafeFetch;
}

export function createAmazonAds(options: AmazonAdsOptions): AmazonAds {
  const { clientId, encryptionKeys, publicBaseUrl, safeFetch } = options;
  const sealer = createSealer(encryptionKeys);
  return {
    login: createLoginWithAmazon({
      ...options,
      redirectUri: publicBaseUrl + finishAmazonAdsConnection.path,
    }),
    readAccount: createAccountReader(safeFetch, clientId),
    sealToken: (token, userId) => sealer.seal(token, ownerOf(userId)),
    openToken: (sealed, userId) => sealer.open(sealed, ownerOf(userId)),
  };
}

function ownerOf(userId: number): string {
  return `amazon ads refresh token of user ${userId}`;
}
