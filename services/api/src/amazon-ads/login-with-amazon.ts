import { hash } from "node:crypto";
import { createTokenSealer, requestAmazon, TOKEN_REQUEST } from "@tapthru/core/amazon-ads";
import type { SafeFetch } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import { finishAmazonAdsConnection } from "@tapthru/proto/amazon-ads";
import * as z from "zod/mini";

const LOGIN_PAGE = "https://www.amazon.com/ap/oa";
const PROFILE_URL = "https://api.amazon.com/user/profile";
/** The advertising scope alone gives no access to the user profile. */
const SCOPE = "profile advertising::campaign_management";

export type AmazonAds = ReturnType<typeof createAmazonAds>;

interface AmazonAdsOptions {
  clientId: string;
  clientSecret: string;
  /** Newest first. */
  encryptionKeys: readonly string[];
  publicBaseUrl: string;
  safeFetch: SafeFetch;
}

const text = z.string().check(z.maxLength(500));
const token = z.string().check(z.minLength(1), z.maxLength(4_096));
const Tokens = z.object({ access_token: token, refresh_token: token });
const UserProfile = z.object({ name: z.nullish(text), email: z.nullish(text) });

export function createAmazonAds(options: AmazonAdsOptions) {
  const { clientId, clientSecret, safeFetch } = options;
  const { seal: sealToken } = createTokenSealer(options.encryptionKeys);
  // It must be one of the Allowed Return URLs of the client.
  const redirectUri = options.publicBaseUrl + finishAmazonAdsConnection.path;
  return {
    loginPage({ state, codeVerifier }: { state: string; codeVerifier: string }): string {
      const query = {
        client_id: clientId,
        scope: SCOPE,
        response_type: "code",
        redirect_uri: redirectUri,
        state,
        code_challenge: hash("sha256", codeVerifier, "base64url"),
        code_challenge_method: "S256",
      };
      return `${LOGIN_PAGE}?${new URLSearchParams(query)}`;
    },
    /** @throws AmazonError */
    async readAccount({ code, codeVerifier }: { code: string; codeVerifier: string }, deadline: AbortSignal) {
      const form = {
        grant_type: "authorization_code",
        code,
        code_verifier: codeVerifier,
        redirect_uri: redirectUri,
        client_id: clientId,
        client_secret: clientSecret,
      };
      const tokens = await requestAmazon(safeFetch, Tokens, {
        ...TOKEN_REQUEST,
        body: new URLSearchParams(form).toString(),
        deadline,
      });
      const authorization = `Bearer ${tokens.access_token}`;
      const { name = null, email = null } = await requestAmazon(safeFetch, UserProfile, {
        url: PROFILE_URL,
        purpose: "login-with-amazon",
        headers: { accept: "application/json", authorization },
        deadline,
      });
      return { name, email, refreshToken: tokens.refresh_token };
    },
    sealToken,
  };
}
