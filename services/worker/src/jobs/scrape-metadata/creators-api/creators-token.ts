import type { PartnerTags } from "@tapthru/core/platform/config/values";
import { parseJson } from "@tapthru/core/platform/parse-json";
import type { SafeFetch } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import * as z from "zod/mini";

export interface CreatorsCredentials {
  clientId: string;
  clientSecret: string;
  /** Its region: 3.1 NA, 3.2 EU, 3.3 FE. */
  version: "3.1" | "3.2" | "3.3";
  partnerTags: PartnerTags;
}

const TOKEN_HOSTS: Record<CreatorsCredentials["version"], string> = {
  "3.1": "api.amazon.com",
  "3.2": "api.amazon.co.uk",
  "3.3": "api.amazon.co.jp",
};

/** A token is not used in the last minute of its lifetime. */
const EXPIRY_MARGIN_MS = 60_000;

const Token = z.object({ access_token: z.string(), expires_in: z.number() });

export interface TokenCache {
  /** A valid token, or the response that refused it. */
  get(deadline: AbortSignal): Promise<{ token: string } | { refusal: JsonResponse }>;
  /** Call it when the token was rejected. */
  clear(): void;
}

/** Requests tokens with client credentials and caches them for their lifetime. */
export function createTokenCache(
  safeFetch: SafeFetch,
  { clientId, clientSecret, version }: Omit<CreatorsCredentials, "partnerTags">,
  now: () => number,
): TokenCache {
  let cached: { token: string; until: number } | null = null;
  return {
    async get(deadline) {
      if (cached !== null && now() < cached.until) return cached;
      const response = await postJson(safeFetch, deadline, {
        url: `https://${TOKEN_HOSTS[version]}/auth/o2/token`,
        body: {
          grant_type: "client_credentials",
          client_id: clientId,
          client_secret: clientSecret,
          scope: "creatorsapi::default",
        },
      });
      const { success, data } = z.safeParse(Token, response.json);
      if (response.status !== 200 || !success) return { refusal: response };
      cached = {
        token: data.access_token,
        until: now() + data.expires_in * 1_000 - EXPIRY_MARGIN_MS,
      };
      return cached;
    },
    clear() {
      cached = null;
    },
  };
}

export interface JsonResponse {
  status: number;
  /** Undefined if the body is not JSON. */
  json: unknown;
}

export async function postJson(
  safeFetch: SafeFetch,
  deadline: AbortSignal,
  request: {
    url: string;
    headers?: { authorization: string; "x-marketplace": string };
    body: object;
  },
): Promise<JsonResponse> {
  const { status, body } = await safeFetch({
    url: request.url,
    purpose: "creators-api",
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      ...request.headers,
    },
    body: JSON.stringify(request.body),
    withBody: true,
    deadline,
  });
  return { status, json: parseJson(body.bytes.toString()) };
}
