import { createHash, randomBytes } from "node:crypto";
import type { AdsRegion } from "@tapthru/proto/rules/amazon/marketplaces";
import { jsonResponse, type StandInResponse } from "../response.ts";
import type { AccountId } from "./accounts.ts";
import { ADS_CLIENT } from "./client.ts";

export interface Grant {
  accountId: AccountId;
  region: AdsRegion;
}

interface IssuedCode extends Grant {
  redirectUri: string;
  codeChallenge: string;
}

export type Grants = ReturnType<typeof createGrants>;

/** Issued codes and tokens, and the endpoint that exchanges them. */
export function createGrants() {
  const codes = new Map<string, IssuedCode>();
  const refreshTokens = new Map<string, Grant>();
  const accessTokens = new Map<string, Grant>();

  /** A code is valid once, with the parameters for which it was issued. */
  function redeemCode(region: AdsRegion, form: URLSearchParams): IssuedCode | null {
    const code = form.get("code") ?? "";
    const issued = codes.get(code);
    codes.delete(code);
    // RFC 7636, method S256.
    const challenge = createHash("sha256").update(form.get("code_verifier") ?? "");
    const isValid =
      issued?.region === region &&
      issued.accountId !== "code-too-old" &&
      issued.redirectUri === form.get("redirect_uri") &&
      issued.codeChallenge === challenge.digest("base64url");
    return isValid ? issued : null;
  }

  function tokens(grant: Grant, refreshToken: string): StandInResponse {
    const accessToken = `Atza|${random()}`;
    accessTokens.set(accessToken, grant);
    refreshTokens.set(refreshToken, grant);
    return jsonResponse(200, {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: "bearer",
      expires_in: 3_600,
    });
  }

  return {
    issueCode(issued: IssuedCode): string {
      const code = `AN${random()}`;
      codes.set(code, issued);
      return code;
    },
    findByAccessToken: (token: string): Grant | null => accessTokens.get(token) ?? null,
    tokenResponse(region: AdsRegion, form: URLSearchParams): StandInResponse {
      if (
        form.get("client_id") !== ADS_CLIENT.id ||
        form.get("client_secret") !== ADS_CLIENT.secret
      ) {
        return errorResponse(401, "invalid_client", "Client authentication failed");
      }
      if (form.get("grant_type") === "refresh_token") {
        const refreshToken = form.get("refresh_token") ?? "";
        const grant = refreshTokens.get(refreshToken);
        const isValid = grant?.region === region && grant.accountId !== "consent-withdrawn";
        return isValid ? tokens(grant, refreshToken) : invalidGrant("refresh_token");
      }
      const grant = redeemCode(region, form);
      if (grant === null) return invalidGrant("code");
      return FAULTY_RESPONSES[grant.accountId] ?? tokens(grant, `Atzr|${random()}`);
    },
  };
}

const FAULTY_RESPONSES: Partial<Record<AccountId, StandInResponse>> = {
  "token-hangs": { fault: "hangs" },
  "token-fails": errorResponse(500, "server_error", "The server encountered a runtime error"),
  "token-is-a-page": { status: 200, body: "<title>Amazon.com</title>Atza|on-a-page" },
  "token-refused": invalidGrant("code"),
};

function invalidGrant(parameter: string): StandInResponse {
  const description = `The request has an invalid grant parameter : ${parameter}`;
  return errorResponse(400, "invalid_grant", description);
}

function errorResponse(status: number, error: string, description: string): StandInResponse {
  return jsonResponse(status, { error, error_description: description });
}

function random(): string {
  return randomBytes(16).toString("base64url");
}
