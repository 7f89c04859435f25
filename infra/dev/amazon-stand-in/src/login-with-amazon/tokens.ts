import type { AdsRegion } from "@tapthru/proto/rules/amazon/ads-regions";
import { jsonResponse, type StandInResponse } from "../response.ts";
import { ADS_CLIENT } from "./client.ts";
import type { Grant, Grants } from "./grants.ts";

/** The token endpoint. It accepts forms. */
export function tokenEndpoint(
  grants: Grants,
  region: AdsRegion,
  form: URLSearchParams,
): StandInResponse {
  const isClient =
    form.get("client_id") === ADS_CLIENT.id && form.get("client_secret") === ADS_CLIENT.secret;
  if (!isClient) return errorResponse(401, "invalid_client", "Client authentication failed");
  switch (form.get("grant_type")) {
    case "authorization_code": {
      const grant = grants.redeemCode(form.get("code") ?? "", {
        region,
        redirectUri: form.get("redirect_uri") ?? "",
        codeVerifier: form.get("code_verifier") ?? "",
      });
      if (grant === null) return invalidGrant("code");
      return faultyResponse(grant) ?? tokens(grants.issueTokens(grant));
    }
    case "refresh_token": {
      const refreshToken = form.get("refresh_token") ?? "";
      const grant = grants.findByRefreshToken(refreshToken);
      const isValid = grant?.region === region && grant.account.fault !== "consent is withdrawn";
      if (!isValid) return invalidGrant("refresh_token");
      const { accessToken } = grants.issueTokens(grant);
      return tokens({ accessToken, refreshToken });
    }
    default:
      return errorResponse(400, "unsupported_grant_type", "The grant type is not supported");
  }
}

function faultyResponse({ account }: Grant): StandInResponse | null {
  switch (account.fault) {
    case "token responses hang":
      return { fault: "hangs" };
    case "token responses fail":
      return errorResponse(500, "server_error", "The server encountered a runtime error");
    case "token responses are HTML":
      return { status: 200, body: "<title>Amazon.com</title>Atza|on-a-page" };
    case "tokens are refused":
      return invalidGrant("code");
    default:
      return null;
  }
}

function tokens({ accessToken, refreshToken }: { accessToken: string; refreshToken: string }) {
  return jsonResponse(200, {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: "bearer",
    expires_in: 3_600,
  });
}

function invalidGrant(parameter: string): StandInResponse {
  return errorResponse(
    400,
    "invalid_grant",
    `The request has an invalid grant parameter : ${parameter}`,
  );
}

function errorResponse(status: number, error: string, description: string): StandInResponse {
  return jsonResponse(status, { error, error_description: description });
}
