import { hash } from "node:crypto";
import type { AdsRegion } from "@tapthru/proto/rules/amazon/marketplaces";
import type { SafeFetch } from "@tapthru/runtime/safe-fetch/safe-fetch";
import * as z from "zod/mini";
import { REGIONS, requestAmazon } from "./request-amazon.ts";

/** The advertising scope alone gives no access to the user profile. */
const SCOPE = "profile advertising::campaign_management";

export interface LoginWithAmazonOptions {
  clientId: string;
  clientSecret: string;
  /** Must be one of the Allowed Return URLs of the client. */
  redirectUri: string;
  safeFetch: SafeFetch;
}

interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** Client for Login with Amazon. The async methods throw AmazonError. */
export interface LoginWithAmazon {
  /** The page where the user logs in and consents. */
  authorizeUrl(login: { region: AdsRegion; state: string; codeVerifier: string }): string;
  exchangeCode(
    login: { region: AdsRegion; code: string; codeVerifier: string },
    deadline: AbortSignal,
  ): Promise<Tokens>;
  refresh(region: AdsRegion, refreshToken: string, deadline: AbortSignal): Promise<Tokens>;
}

/** A token that is safe in a header value. */
const token = z.string().check(z.regex(/^[\x21-\x7e]{1,4096}$/));
const InitialTokens = z.object({ access_token: token, refresh_token: token });
const RefreshedTokens = z.object({ access_token: token, refresh_token: z.optional(token) });

export function createLoginWithAmazon(options: LoginWithAmazonOptions): LoginWithAmazon {
  const { clientId, clientSecret, redirectUri, safeFetch } = options;

  function requestTokens<Schema extends z.ZodMiniType>(
    region: AdsRegion,
    form: Record<string, string>,
    options: { schema: Schema; deadline: AbortSignal },
  ) {
    const client = { client_id: clientId, client_secret: clientSecret };
    return requestAmazon(safeFetch, {
      url: REGIONS[region].token,
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...form, ...client }).toString(),
      ...options,
    });
  }

  return {
    authorizeUrl({ region, state, codeVerifier }) {
      const query = {
        client_id: clientId,
        scope: SCOPE,
        response_type: "code",
        redirect_uri: redirectUri,
        state,
        code_challenge: hash("sha256", codeVerifier, "base64url"),
        code_challenge_method: "S256",
      };
      return `${REGIONS[region].authorize}?${new URLSearchParams(query)}`;
    },

    async exchangeCode({ region, code, codeVerifier }, deadline) {
      const form = {
        grant_type: "authorization_code",
        code,
        code_verifier: codeVerifier,
        redirect_uri: redirectUri,
      };
      const tokens = await requestTokens(region, form, { schema: InitialTokens, deadline });
      return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
    },

    async refresh(region, refreshToken, deadline) {
      const form = { grant_type: "refresh_token", refresh_token: refreshToken };
      const tokens = await requestTokens(region, form, { schema: RefreshedTokens, deadline });
      return {
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token ?? refreshToken,
      };
    },
  };
}
