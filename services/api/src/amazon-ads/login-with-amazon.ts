import { hash } from "node:crypto";
import { parseJson } from "@tapthru/core/platform/parse-json";
import { SafeFetchError } from "@tapthru/core/platform/safe-fetch/errors";
import type { SafeFetch, SafeFetchRequest } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import { createSealer } from "@tapthru/core/platform/sealer";
import { finishAmazonAdsConnection } from "@tapthru/proto/amazon-ads";
import * as z from "zod/mini";

const LOGIN_PAGE = "https://www.amazon.com/ap/oa";
const TOKEN_URL = "https://api.amazon.com/auth/o2/token";
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
  const sealer = createSealer(options.encryptionKeys);
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
        url: TOKEN_URL,
        method: "POST",
        headers: {
          accept: "application/json",
          "content-type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams(form).toString(),
        deadline,
      });
      const authorization = `Bearer ${tokens.access_token}`;
      const { name = null, email = null } = await requestAmazon(safeFetch, UserProfile, {
        url: PROFILE_URL,
        headers: { accept: "application/json", authorization },
        deadline,
      });
      return { name, email, refreshToken: tokens.refresh_token };
    },
    sealToken: (refreshToken: string, userId: number) =>
      sealer.seal(refreshToken, `amazon ads refresh token of user ${userId}`),
  };
}

/** A request to Amazon failed. The message contains no request or response data. */
export class AmazonError extends Error {
  override readonly name = "AmazonError";
}

const OAuthError = z.string().check(z.regex(/^[a-z_]{1,40}$/));
const Refusal = z.object({ error: OAuthError });

/** Returns the text if it has the form of an OAuth error code and is therefore safe to log. */
export function oauthError(text: unknown): string | null {
  return z.safeParse(OAuthError, text).data ?? null;
}

/** @throws AmazonError for any response but a 200 with JSON that matches the schema */
async function requestAmazon<Schema extends z.ZodMiniType>(
  safeFetch: SafeFetch,
  schema: Schema,
  request: Omit<SafeFetchRequest, "purpose" | "withBody">,
): Promise<z.output<Schema>> {
  const { host } = new URL(request.url);
  const { status, body } = await safeFetch({
    ...request,
    purpose: "login-with-amazon",
    withBody: true,
  }).catch((cause) => {
    if (!(cause instanceof SafeFetchError)) throw cause;
    throw new AmazonError(`${host} did not respond`, { cause });
  });
  const json = parseJson(body.bytes.toString());
  if (status !== 200) {
    const error = z.safeParse(Refusal, json).data?.error;
    throw new AmazonError(`${host} responded ${status}${error ? ` (${error})` : ""}`);
  }
  const parsed = z.safeParse(schema, json);
  if (!parsed.success) throw new AmazonError(`${host} sent an invalid response`);
  return parsed.data;
}
